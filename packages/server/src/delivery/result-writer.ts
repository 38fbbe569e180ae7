import { setTimeout as delay } from 'node:timers/promises'
import type { JobQueue } from '../ports/job-queue.ts'
import type { Log } from '../ports/log.ts'
import type { SystemStore } from '../ports/storage.ts'
import { passFaultPoint } from '../shared/fault-points.ts'
import type { AttemptResult } from '../storage/records.ts'

const groupMs = 5
const groupSizeMax = 500
const triesMax = 6
/** With more results than this in memory, no more attempts should begin. */
const waitingMax = 2_000

interface ResultWriterParts {
  system: Pick<SystemStore, 'finishAttempts'>
  queue: Pick<JobQueue, 'wake'>
  log: Log
  /** Told of a group once it is written. */
  onWritten?: (results: readonly AttemptResult[]) => Promise<void>
}

/** Writes results in groups: a durable write for each one alone would cost most of the throughput. */
export class ResultWriter {
  readonly #parts: ResultWriterParts
  #pending: AttemptResult[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #isFailing = false

  constructor(parts: ResultWriterParts) {
    this.#parts = parts
  }

  /**
   * Whether results can be taken at the pace at which they come. An attempt whose result cannot be written is made
   * again and again, and a storage may be able to read what is due while it can write nothing.
   */
  get hasRoom(): boolean {
    return !this.#isFailing && this.#pending.length < waitingMax
  }

  add(result: AttemptResult): void {
    this.#pending.push(result)
    if (this.#pending.length >= groupSizeMax) void this.drain()
    else this.#timer ??= setTimeout(() => void this.drain(), groupMs)
  }

  /** Resolves when nothing is waiting to be written. Never rejects. */
  drain(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#pending.length > 0) this.#writing ??= this.#writeAll()
    return this.#writing ?? Promise.resolve()
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) await this.#write(this.#pending.splice(0, groupSizeMax))
    this.#writing = undefined
  }

  async #write(group: AttemptResult[]): Promise<void> {
    const { system, queue, log } = this.#parts
    for (let tries = 1; ; tries++) {
      try {
        passFaultPoint('before-result-commit')
        const written = await system.finishAttempts(group)
        if (written < group.length)
          log.warn({ lost: group.length - written }, 'Results came after their lease')
        this.#isFailing = false
        break
      } catch (err) {
        this.#isFailing = tries < triesMax
        if (tries >= triesMax) {
          // Their leases run out, so these attempts are made once more: at least once, as promised.
          log.error({ err, count: group.length }, 'Results of deliveries could not be written')
          return
        }
        await delay(100 * 2 ** tries)
      }
    }
    passFaultPoint('after-result-before-next-wake')
    const planned = group.flatMap(({ next }) => (next === null ? [] : [Date.parse(next.nextAttemptAt)]))
    if (planned.length > 0) queue.wake('deliveries', Math.min(...planned))
    await this.#parts.onWritten?.(group).catch((err: unknown) => {
      log.error({ err }, 'Webhooks that fail could not be looked at')
    })
  }
}

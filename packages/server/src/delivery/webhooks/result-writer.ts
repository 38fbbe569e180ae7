import { setTimeout as delay } from 'node:timers/promises'
import type { WakeJob } from '../../jobs/background-job.ts'
import type { Log } from '../../ports/log.ts'
import type { SystemStore } from '../../ports/system-store.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import type { AttemptResult } from '../../storage/records.ts'

const groupMs = 5
const groupSizeMax = 500
const triesMax = 6
/** With more results than this in memory, no more attempts should begin. */
const waitingMax = 2_000

interface ResultWriterParts {
  system: Pick<SystemStore, 'finishAttempts'>
  /** Wakes the job for the earliest retry that was written. */
  wake: WakeJob
  log: Log
  /** Called with each group once it is written. */
  onWritten?: (results: readonly AttemptResult[]) => Promise<void>
}

/** Writes results in groups: a durable write for each single result would cost most of the throughput. */
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
   * Returns whether results are written as fast as they come. An attempt whose result cannot be written is made
   * repeatedly, and a storage may be able to read due attempts while it can write nothing.
   */
  get hasCapacity(): boolean {
    return !this.#isFailing && this.#pending.length < waitingMax
  }

  add(result: AttemptResult): void {
    this.#pending.push(result)
    if (this.#pending.length >= groupSizeMax) void this.drain()
    else this.#timer ??= setTimeout(() => void this.drain(), groupMs)
  }

  /** Resolves when no result waits to be written. Never rejects. */
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
    const { system, wake, log } = this.#parts
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
          // Their leases expire, so these attempts are made once more: at least once, as the contract says.
          log.error({ err, count: group.length }, 'Results of deliveries could not be written')
          return
        }
        await delay(100 * 2 ** tries)
      }
    }
    passFaultPoint('after-result-before-next-wake')
    const planned = group.flatMap(({ next }) => (next === null ? [] : [Date.parse(next.nextAttemptAt)]))
    if (planned.length > 0) wake(Math.min(...planned))
    await this.#parts.onWritten?.(group).catch((err: unknown) => {
      log.error({ err }, 'Checking for webhooks to deactivate failed')
    })
  }
}

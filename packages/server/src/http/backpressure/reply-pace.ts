import { FairQueue } from '../../fairness/fair-queue.ts'

/** Bytes that may be written in one event-loop tick before further long replies have to wait. */
const perTickMax = 4 * 1024 * 1024

/**
 * Spreads long replies over event-loop ticks. Requests that arrive together would otherwise get their replies
 * together: all their bytes would be in memory before any connection can be ended, and no other client would be
 * served meanwhile.
 */
export class ReplyPace {
  #written = 0
  #isTurnAwaited = false
  readonly #waiting = new FairQueue<() => void>()

  noteWritten(bytes: number): void {
    this.#written += bytes
    this.#awaitTurn()
  }

  /** Undefined when a long reply may be made at once. Otherwise one is made each tick, and tenants alternate. */
  slot(tenantId: string): Promise<void> | undefined {
    if (this.#written <= perTickMax && this.#waiting.isEmpty) return undefined
    this.#awaitTurn()
    return new Promise((resolve) => this.#waiting.push(tenantId, resolve))
  }

  #awaitTurn(): void {
    if (this.#isTurnAwaited) return
    this.#isTurnAwaited = true
    setImmediate(() => this.#beginTurn())
  }

  #beginTurn(): void {
    this.#isTurnAwaited = false
    this.#written = 0
    const begin = this.#waiting.shift()
    if (!this.#waiting.isEmpty) this.#awaitTurn()
    begin?.()
  }
}

/** The one of this process, which has one event loop. */
export const replyPace = new ReplyPace()

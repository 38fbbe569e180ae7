import { FairQueue } from './fair-queue.ts'

/** So many bytes may be written in one turn of the event loop before further long replies have to wait. */
const perTurnMax = 4 * 1024 * 1024

/**
 * Spreads long replies over turns of the event loop. Requests that arrive together would otherwise be answered together:
 * all their bytes would be in memory before any connection can be ended, and nobody else be answered meanwhile.
 */
export class ReplyPace {
  #written = 0
  #isTurnAwaited = false
  readonly #waiting = new FairQueue<() => void>()

  noteWritten(bytes: number): void {
    this.#written += bytes
    this.#awaitTurn()
  }

  /** Undefined when a long reply may be made at once. Otherwise one is made each turn, and tenants alternate. */
  turn(tenantId: string): Promise<void> | undefined {
    if (this.#written <= perTurnMax && this.#waiting.isEmpty) return undefined
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

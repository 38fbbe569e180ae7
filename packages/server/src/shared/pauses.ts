import { setImmediate as nextLoopTick, setTimeout as wait } from 'node:timers/promises'
import type { WaitingCallers } from './waiting-callers.ts'

/** A request needs several turns of the event loop. Callers who never stop asking delay a pause by no more than this. */
const restMsMax = 5

/** People who work here ask again within this time. */
const recentMs = 50

/** Shares the event loop: work that asks now and then never holds up other requests for much longer than `workMs`. */
export class Pauses {
  readonly #workMs: number
  readonly #callers: Pick<WaitingCallers, 'areThere' | 'wereThere'> | undefined
  #begunAt = performance.now()

  /**
   * @param workMs The time after which the work lets others go first.
   * @param callers Undefined: a pause is one turn of the event loop.
   */
  constructor(workMs: number, callers?: Pick<WaitingCallers, 'areThere' | 'wereThere'>) {
    this.#workMs = workMs
    this.#callers = callers
  }

  isDue(): boolean {
    return performance.now() - this.#begunAt >= this.#workMs
  }

  /** Waits for one turn of the event loop, and some milliseconds for callers who wait. Reads that follow see newer data. */
  async take(): Promise<void> {
    await nextLoopTick()
    if (this.#callers?.wereThere(recentMs)) await wait(1.5 * this.#workMs)
    for (let rests = 0; rests < restMsMax && this.#callers?.areThere(); rests++) await wait(1)
    this.#begunAt = performance.now()
  }

  async takeIfDue(): Promise<void> {
    if (this.isDue()) await this.take()
  }
}

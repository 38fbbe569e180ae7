import { setImmediate as nextLoopTick } from 'node:timers/promises'

/** Shares the event loop: work that asks now and then never holds up other requests for much longer than `workMs`. */
export class Pauses {
  readonly #workMs: number
  #begunAt = performance.now()

  /** @param workMs The time after which the work lets others go first. */
  constructor(workMs: number) {
    this.#workMs = workMs
  }

  isDue(): boolean {
    return performance.now() - this.#begunAt >= this.#workMs
  }

  /** Waits for one turn of the event loop. Reads that follow see newer data. */
  async take(): Promise<void> {
    await nextLoopTick()
    this.#begunAt = performance.now()
  }
}

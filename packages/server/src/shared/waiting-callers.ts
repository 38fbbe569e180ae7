/** Counts the requests whose callers wait for this process, so that work in the background can let them go first. */
export class WaitingCallers {
  #count = 0
  #leftAtMs = Number.NEGATIVE_INFINITY

  areThere(): boolean {
    return this.#count > 0
  }

  /** A caller waits from now on. */
  enter(): void {
    this.#count++
  }

  /** The work for a caller has ended. */
  leave(): void {
    this.#count--
    this.#leftAtMs = performance.now()
  }

  /** Whether a caller is there, or was within the last milliseconds: then another one may come at any moment. */
  wereThere(withinMs: number): boolean {
    return this.#count > 0 || performance.now() - this.#leftAtMs < withinMs
  }
}

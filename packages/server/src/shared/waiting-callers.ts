/** Counts the requests whose callers wait for this process, so that work in the background can let them go first. */
export class WaitingCallers {
  #count = 0

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
  }
}

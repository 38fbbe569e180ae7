/** Counts the requests whose callers wait for this process, so that work in the background can let them go first. */
export class WaitingCallers {
  #count = 0

  areThere(): boolean {
    return this.#count > 0
  }

  /** Counts a caller until the work for it has ended. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#count++
    try {
      return await work()
    } finally {
      this.#count--
    }
  }
}

/** Collects in memory and writes at intervals, so that no request waits for the storage. */
export abstract class PeriodicWriter {
  readonly #everyMs: number
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(everyMs = 1_000) {
    this.#everyMs = everyMs
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), this.#everyMs)
    this.#timer.unref()
  }

  /** One write at a time, so that the next one includes what the last one could not write. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.write())
    return this.#writing
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  protected abstract write(): Promise<void>
}

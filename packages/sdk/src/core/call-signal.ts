/**
 * An AbortController that follows another signal. It listens to the outer signal only until `release()`,
 * so that a signal that lives as long as the program collects no listeners.
 */
export class FollowingController {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal | undefined
  readonly #reasonOf: (outer: AbortSignal) => unknown
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    outer: AbortSignal | undefined,
    reasonOf: (outer: AbortSignal) => unknown = ({ reason }) => reason,
  ) {
    this.#outer = outer
    this.#reasonOf = reasonOf
    if (outer?.aborted) this.#follow()
    else outer?.addEventListener('abort', this.#follow)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Aborts with the result of `makeReason` after `ms`, unless released before. */
  abortAfter(ms: number, makeReason: () => unknown): void {
    this.#timer = setTimeout(() => this.#controller.abort(makeReason()), ms)
  }

  release(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#follow)
  }

  readonly #follow = (): void => {
    if (this.#outer) this.#controller.abort(this.#reasonOf(this.#outer))
  }
}

/** Rejects as soon as the signal aborts, even if the work does not listen to it. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

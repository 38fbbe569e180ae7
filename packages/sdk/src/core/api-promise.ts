export interface WithResponse<T> {
  data: T
  /** Status and headers of the response; its body has been read. */
  response: Response
}

/** The promise of a call's data. `withResponse()` also returns the HTTP response. */
export class ApiPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'ApiPromise'
  readonly #result: Promise<WithResponse<T>>

  constructor(result: Promise<WithResponse<T>>) {
    this.#result = result
  }

  withResponse(): Promise<WithResponse<T>> {
    return this.#result
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: as every promise has it
    onRejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result.then(({ data }) => data).then(onFulfilled, onRejected)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as every promise has it
  catch<B = never>(onRejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally)
  }
}

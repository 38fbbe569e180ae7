import type { WithResponse } from './api-promise.ts'

/** One page of the event log. */
export interface LogPage<T> {
  readonly data: T[]
  readonly limit: number
  /** `after` of the next page, now or at any later time; also present on the last page. */
  readonly nextCursor: string
  /** Whether the page is full, so that more may follow. */
  readonly hasMore: boolean
}

/** Fetches one page, after a position or at the start of the query. */
export type FetchLogPage<T> = (request: {
  after?: string
  isWalk: boolean
}) => Promise<WithResponse<LogPage<T>>>

/** The event log. `await` sends one request and returns that page; `for await` reads to the end of the log. */
export class LogPromise<T> implements Promise<LogPage<T>>, AsyncIterable<T> {
  readonly [Symbol.toStringTag] = 'LogPromise'
  readonly #fetchPage: FetchLogPage<T>
  #first: Promise<WithResponse<LogPage<T>>> | undefined

  constructor(fetchPage: FetchLogPage<T>) {
    this.#fetchPage = fetchPage
  }

  /** The first page and its HTTP response. */
  withResponse(): Promise<WithResponse<LogPage<T>>> {
    this.#first ??= this.#fetchPage({ isWalk: false })
    return this.#first
  }

  /** Every page to the end of the log; store the last one's `nextCursor` to continue later. */
  async *pages(): AsyncGenerator<LogPage<T>, void, undefined> {
    let { data: page } = await this.#fetchPage({ isWalk: true })
    yield page
    while (page.hasMore) {
      const next = await this.#fetchPage({ isWalk: true, after: page.nextCursor })
      page = next.data
      yield page
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }

  /** All events to the end of the log in one array, at most `limit` of them. */
  async toArray({ limit = Number.POSITIVE_INFINITY }: { limit?: number | undefined } = {}): Promise<T[]> {
    const events: T[] = []
    if (limit <= 0) return events
    for await (const event of this) {
      events.push(event)
      if (events.length >= limit) break
    }
    return events
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<A = LogPage<T>, B = never>(
    onFulfilled?: ((value: LogPage<T>) => A | PromiseLike<A>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: as every promise has it
    onRejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as every promise has it
  catch<B = never>(onRejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<LogPage<T> | B> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<LogPage<T>> {
    return this.then().finally(onFinally)
  }
}

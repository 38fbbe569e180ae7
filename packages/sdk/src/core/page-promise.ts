import type { WithResponse } from './api-promise.ts'

/** One page of a list. */
export interface Page<T> {
  readonly data: T[]
  /** Number of matching rows, exact up to 10,000; a lower bound or up to 10 s old when `totalIsEstimate`. */
  readonly total: number
  readonly totalIsEstimate: boolean
  readonly page: number
  readonly limit: number
  readonly totalPages: number
  /** `cursor` of the next page; null on the last page. */
  readonly nextCursor: string | null
  readonly hasMore: boolean
}

/** Fetches one page; `isWalk` chooses the order and the page size for reading all rows. */
export type FetchPage<T> = (request: PageFetch) => Promise<WithResponse<Page<T>>>

interface PageFetch {
  readonly cursor?: string
  readonly isWalk: boolean
  readonly limitMax?: number
}

/**
 * A list. `await` sends one request and returns that page; `for await` reads every row, page after page.
 * Without a `sort` a walk uses `createdAt`, so that a concurrent change never hides a row.
 */
export class PagePromise<T> implements Promise<Page<T>>, AsyncIterable<T> {
  readonly [Symbol.toStringTag] = 'PagePromise'
  readonly #fetchPage: FetchPage<T>
  // A walk must not also send the request of `await`, so the first use decides.
  #first: Promise<WithResponse<Page<T>>> | undefined

  constructor(fetchPage: FetchPage<T>) {
    this.#fetchPage = fetchPage
  }

  /** The first page and its HTTP response. */
  withResponse(): Promise<WithResponse<Page<T>>> {
    this.#first ??= this.#fetchPage({ isWalk: false })
    return this.#first
  }

  /** Every page, from the first one (or the one that the query names) to the last. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    yield* this.#walk({ isWalk: true })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.#walk({ isWalk: true, limitMax: 100 })) yield* page.data
  }

  /** All rows in one array, at most `limit` of them. */
  async toArray({ limit = Number.POSITIVE_INFINITY }: { limit?: number | undefined } = {}): Promise<T[]> {
    const rows: T[] = []
    if (limit <= 0) return rows
    for await (const page of this.#walk({ isWalk: true, limitMax: Math.min(limit, 100) })) {
      rows.push(...page.data.slice(0, limit - rows.length))
      if (rows.length >= limit) break
    }
    return rows
  }

  async *#walk(request: { isWalk: true; limitMax?: number }): AsyncGenerator<Page<T>, void, undefined> {
    let { data: page } = await this.#fetchPage(request)
    yield page
    while (page.nextCursor !== null) {
      const next = await this.#fetchPage({ ...request, cursor: page.nextCursor })
      page = next.data
      yield page
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<A = Page<T>, B = never>(
    onFulfilled?: ((value: Page<T>) => A | PromiseLike<A>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: as every promise has it
    onRejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as every promise has it
  catch<B = never>(onRejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<Page<T> | B> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Page<T>> {
    return this.then().finally(onFinally)
  }
}

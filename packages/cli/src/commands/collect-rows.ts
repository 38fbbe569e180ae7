import type { Page } from '@crmkit/sdk'

const pageSizeMax = 100

export interface PagingOptions {
  readonly limit: number
  readonly all?: true | undefined
  readonly cursor?: string | undefined
}

interface PageQuery {
  readonly limit: number
  readonly cursor?: string
}

export type FetchPage<Row> = (query: PageQuery) => Promise<Page<Row>>

/** Reads the pages of a list, in its order, until the requested number of rows is reached. */
export async function* readPages<Row>(
  { limit, all, cursor }: PagingOptions,
  fetchPage: FetchPage<Row>,
): AsyncGenerator<Page<Row>, void, undefined> {
  let missing = all ? Number.POSITIVE_INFINITY : limit
  let next = cursor
  for (;;) {
    const query = { limit: Math.min(pageSizeMax, missing), ...(next === undefined ? {} : { cursor: next }) }
    const page = await fetchPage(query)
    yield page
    missing -= page.data.length
    if (page.nextCursor === null || missing <= 0) return
    next = page.nextCursor
  }
}

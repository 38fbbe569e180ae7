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

export interface CollectedRows<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  readonly isTotalEstimate: boolean
  readonly nextCursor: string | null
}

/** Reads as many pages as the wanted rows need, in the list's own order. */
export async function collectRows<Row>(
  { limit, all, cursor }: PagingOptions,
  fetchPage: (query: PageQuery) => Promise<Page<Row>>,
): Promise<CollectedRows<Row>> {
  const rows: Row[] = []
  const wanted = all ? Number.POSITIVE_INFINITY : limit
  let next = cursor
  for (;;) {
    const pageLimit = Math.min(pageSizeMax, wanted - rows.length)
    const page = await fetchPage({ limit: pageLimit, ...(next === undefined ? {} : { cursor: next }) })
    rows.push(...page.data)
    if (page.nextCursor === null || rows.length >= wanted) {
      const { total, totalIsEstimate, nextCursor } = page
      return { rows, total, isTotalEstimate: totalIsEstimate, nextCursor }
    }
    next = page.nextCursor
  }
}

import type { PageOf } from '../storage/pages.ts'

interface Paging {
  page: number
  limit: number
}

/** Returns the paging fields of a list's reply. */
export function pageTotals(page: Omit<PageOf<unknown>, 'rows'>, { page: number, limit }: Paging) {
  return {
    total: page.total,
    page: number,
    limit,
    totalPages: Math.ceil(page.total / limit),
    totalIsEstimate: page.totalIsEstimate,
    nextCursor: page.nextCursor,
  }
}

/** Returns the reply of a list of the shape `data[]` + `pagination`. */
export function pageReply<T>(page: Omit<PageOf<T>, 'rows'> & { rows: T[] }, query: Paging) {
  return { success: true as const, data: page.rows, pagination: pageTotals(page, query) }
}

import { isOwned } from '../../../storage/kinds/derive.ts'
import { planList } from '../../../storage/kinds/plan-list.ts'
import type { FilterOf, ListedKind } from '../../../storage/kinds/registry.ts'
import type { Paging } from '../../../storage/pages.ts'
import type { Sql } from '../connection/sql.ts'
import { hasErasures } from '../erasure/erasures.ts'
import type { Searcher } from '../search/searcher.ts'
import { type AttemptFilter, attemptQuery } from './attempt-list.ts'
import { kindQuery, kindSearch } from './kind-list.ts'
import { countList, type ListQuery, type RawPage, readPage } from './list-query.ts'

export type { RawPage } from './list-query.ts'

export type ListName = ListedKind | 'attempts'
export type ListOf<L extends ListName> = {
  list: L
  filter: L extends ListedKind ? FilterOf<L> & Paging : AttemptFilter
}
export type AnyList = { [L in ListName]: ListOf<L> }[ListName]

export interface ListRequest {
  tenantId: string
  asked: AnyList
  /** `page` reads rows and, when they do not show the total, counts up to the exact bound; `total` counts all. */
  want: 'page' | 'pageWithoutTotal' | 'total'
}

/** Larger offsets would block the event loop. */
const shallowOffsetMax = 1_000

/** `isErasing`: an erasure is unfinished, so rows of the list may be hidden. */
function queryOf(asked: AnyList, isErasing: boolean): ListQuery {
  return asked.list === 'attempts'
    ? attemptQuery(asked.filter)
    : kindQuery(asked.list, asked.filter, isErasing)
}

export function isSearch({ filter }: AnyList): boolean {
  return 'search' in filter && (filter.search ?? '').trim() !== ''
}

/** Returns whether one range of an index holds the page, so that the event loop may wait for it. */
export function isShort(asked: AnyList): boolean {
  const { filter } = asked
  if (isSearch(asked)) return false
  if (filter.cursor === undefined && (filter.page - 1) * filter.limit > shallowOffsetMax) return false
  return asked.list === 'attempts' || planList(asked.list, asked.filter).isOneRange
}

/** Reads a list. `search` is given where searches may run: in a reader thread. */
export function runList(sql: Sql, { tenantId, asked, want }: ListRequest, search?: Searcher): RawPage {
  const isErasing = asked.list !== 'attempts' && isOwned(asked.list) && hasErasures(sql.tenant(tenantId))
  if (want === 'total') {
    const query = queryOf(asked, isErasing)
    return { rows: [], total: countList(sql, tenantId, { query, isCapped: false }), nextCursor: null }
  }
  const searched = asked.list === 'attempts' ? undefined : kindSearch(asked.list, asked.filter, isErasing)
  const found = searched && search?.(tenantId, searched)
  if (found) return found
  const query = queryOf(asked, isErasing)
  const page = readPage(sql, tenantId, query)
  if (page.total !== null || want === 'pageWithoutTotal') return page
  // A search without a result from the index has more matches than are counted.
  const total = searched ? Number.POSITIVE_INFINITY : countList(sql, tenantId, { query, isCapped: true })
  return { ...page, total }
}

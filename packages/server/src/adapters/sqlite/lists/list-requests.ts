import type { ConversationFilter, CustomerFilter, MessageFilter } from '../../../ports/pages.ts'
import type { Kind } from '../../../storage/records.ts'
import { isOwned } from '../../../storage/rules/erased.ts'
import type { Sql } from '../connection/sql.ts'
import { hasErasures } from '../erasure/erasures.ts'
import type { SearchQuery } from '../search/search-list.ts'
import type { Searcher } from '../search/searcher.ts'
import { conversationQuery, conversationSearch } from './conversation-list.ts'
import { customerQuery, customerSearch } from './customer-list.ts'
import { countRows, type ListQuery, type PagingFilter, type RawPage, readPage } from './list-query.ts'
import * as others from './other-lists.ts'

export type { RawPage } from './list-query.ts'

interface Filters {
  customers: CustomerFilter
  conversations: ConversationFilter
  messages: MessageFilter
  users: PagingFilter
  inboxes: PagingFilter
  apiKeys: others.ApiKeyFilter
  webhooks: others.WebhookFilter
  attempts: others.AttemptFilter
  auditLog: PagingFilter
}
export type ListName = keyof Filters
export type ListOf<L extends ListName> = { list: L; filter: Filters[L] }

export type AnyList = { [L in ListName]: ListOf<L> }[ListName]
export interface ListRequest {
  tenantId: string
  asked: AnyList
  /** `page` reads rows and, when they do not tell it, a count up to the promised bound; `total` counts all. */
  want: 'page' | 'pageWithoutTotal' | 'total'
}

/** Offsets from here on cost more than a moment. */
const shallowOffsetMax = 1_000

/** `isErasing`: there are rows of these lists that are erased and not removed yet. */
function queryOf(asked: AnyList, isErasing: boolean): ListQuery {
  switch (asked.list) {
    case 'customers':
      return customerQuery(asked.filter)
    case 'conversations':
      return conversationQuery(asked.filter, isErasing)
    case 'messages':
      return others.messageQuery(asked.filter, isErasing)
    case 'users':
      return others.userQuery(asked.filter)
    case 'inboxes':
      return others.inboxQuery(asked.filter)
    case 'apiKeys':
      return others.apiKeyQuery(asked.filter)
    case 'webhooks':
      return others.webhookQuery(asked.filter)
    case 'attempts':
      return others.attemptQuery(asked.filter)
    case 'auditLog':
      return others.auditQuery(asked.filter)
  }
}

function searchOf(asked: AnyList, isErasing: boolean): SearchQuery | undefined {
  if (asked.list === 'customers') return customerSearch(asked.filter)
  if (asked.list === 'conversations') return conversationSearch(asked.filter, isErasing)
  return undefined
}

export function isSearch({ filter }: AnyList): boolean {
  return 'search' in filter && (filter.search ?? '').trim() !== ''
}

/** How many filters are set, counting neither paging nor order. */
function filterCount(filter: object): number {
  const framing = new Set(['page', 'limit', 'cursor', 'sort', 'order'])
  return Object.entries(filter).filter(([name, value]) => value !== undefined && !framing.has(name)).length
}

/** Whether one range of an index answers the list, so that the event loop may wait for it. */
export function isShort(asked: AnyList): boolean {
  const { filter } = asked
  if (filter.cursor === undefined && (filter.page - 1) * filter.limit > shallowOffsetMax) return false
  if (isSearch(asked)) return false
  const filters = filterCount(filter)
  if (asked.list === 'customers') {
    const { sort, tags, updatedSince } = asked.filter
    if (filters === 0) return true
    return (
      filters === 1 && sort.endsWith('createdAt') && updatedSince === undefined && (tags?.length ?? 0) <= 1
    )
  }
  if (asked.list === 'conversations') {
    const { sort, status, label } = asked.filter
    if (!sort.endsWith('updatedAt')) return filters === 0
    return filters <= 1 || (filters === 2 && status !== undefined && label === undefined)
  }
  return true
}

/** `search` is given where searches may run: in a reader thread. */
export function runList(sql: Sql, { tenantId, asked, want }: ListRequest, search?: Searcher): RawPage {
  const isErasing = isOwned(asked.list as Kind) && hasErasures(sql.tenant(tenantId))
  if (want === 'total') {
    const { arms } = queryOf(asked, isErasing)
    return { rows: [], total: countRows(sql, tenantId, arms, false), nextCursor: null }
  }
  const searched = searchOf(asked, isErasing)
  const found = searched && search?.(tenantId, searched)
  if (found) return found
  const query = queryOf(asked, isErasing)
  const page = readPage(sql, tenantId, query)
  if (page.total !== null || want === 'pageWithoutTotal') return page
  // A search that comes here has more matches than are counted.
  const total = searched ? Number.POSITIVE_INFINITY : countRows(sql, tenantId, query.arms, true)
  return { ...page, total }
}

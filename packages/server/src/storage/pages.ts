import type { FilterOf, ListedKind } from './kinds/registry.ts'
import type { Stored } from './records.ts'

export interface PageOf<T> {
  rows: Stored<T>[]
  /** Exact up to 10,000; above, `totalIsEstimate` is true and it may be old or a lower bound. */
  total: number
  totalIsEstimate: boolean
  /** Opaque; null on the last page. */
  nextCursor: string | null
}

/** A page whose list is not counted. */
export type RowsOf<T> = Pick<PageOf<T>, 'rows' | 'nextCursor'>

export interface Paging {
  /** From 1; ignored when a cursor is given. A page after the last one is empty. */
  page: number
  limit: number
  cursor?: string | undefined
}

/**
 * The filter of a list of one kind. Conditions are joined by AND; an unknown or foreign id in a filter finds nothing.
 * Rows with equal sort values are ordered by `_id`, in the direction of the order.
 */
export type ListFilter<K extends ListedKind> = FilterOf<K> & Paging
export type CustomerFilter = ListFilter<'customers'>
export type ConversationFilter = ListFilter<'conversations'> & {
  /** Beside `search`: conversations of these customers match too, whatever their texts are. */
  searchedCustomers?: readonly string[] | undefined
  /** Beside `search`: these conversations match too, whatever their texts are. */
  searchedConversations?: readonly string[] | undefined
}
export type MessageFilter = ListFilter<'messages'>

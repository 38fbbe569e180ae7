import type { ConversationSort, ConversationStatus, CustomerSort } from '@crmkit/core'
import type { Stored } from '../storage/records.ts'

export interface PageOf<T> {
  rows: Stored<T>[]
  /** Exact up to 10,000; above, `totalIsEstimate` is true and it may be old or a lower bound. */
  total: number
  totalIsEstimate: boolean
  /** Opaque; null on the last page. */
  nextCursor: string | null
}

export interface Paging {
  /** From 1; ignored when a cursor is given. A page beyond the last is empty. */
  page: number
  limit: number
  cursor?: string | undefined
}

/**
 * Filters are joined by AND. An unknown or foreign id in a filter finds nothing. Ties are broken by `_id`, in
 * the direction of the sort. By `lastName`: ignoring case, those without one last. A list that has no `sort`
 * is newest first.
 */
export interface CustomerFilter extends Paging {
  /** Terms as `search-text.ts` says. */
  search?: string | undefined
  tier?: string | undefined
  status?: string | undefined
  /** All must be present, ignoring case. */
  tags?: string[] | undefined
  /** ISO time; rows with `updatedAt` at or after it. */
  updatedSince?: string | undefined
  sort: CustomerSort
}

export interface ConversationFilter extends Paging {
  status?: ConversationStatus[] | undefined
  priority?: string | undefined
  channel?: string | undefined
  /** A user id, or `none` for the unassigned. */
  assignedTo?: string | undefined
  inboxId?: string | undefined
  customerId?: string | undefined
  /** Ignoring case. */
  label?: string | undefined
  /** All terms in the subject, or all in the content of any one message. */
  search?: string | undefined
  updatedSince?: string | undefined
  /** `priority` lists the most urgent first. */
  sort: ConversationSort
}

/** Those of a conversation, or those that a customer wrote in any. */
export type MessageFilter = ({ conversationId: string } | { authorId: string }) & {
  order: 'asc' | 'desc'
} & Paging

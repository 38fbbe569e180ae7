import { conversationStatuses } from '@crmkit/core/vocabulary'
import type { ConversationFilter } from '../../../ports/pages.ts'
import { isMomentValue } from '../../../storage/cursor.ts'
import { searchTerms } from '../../../storage/search-text.ts'
import { notErased } from '../erasure/erasures.ts'
import { inIndex, textHasTerms } from '../search/search-conditions.ts'
import type { SearchQuery, SearchSource } from '../search/search-list.ts'
import type { SearchPlan } from '../search/search-query.ts'
import { recordColumns } from './customer-list.ts'
import { hasLabels, labelArm } from './label-arms.ts'
import { type Condition, equals, isOneOf, type ListQuery, type Order, since, tableArm } from './list-query.ts'

const orders: Record<ConversationFilter['sort'], { column: string; isDescending: boolean }> = {
  createdAt: { column: 'created_at', isDescending: false },
  '-createdAt': { column: 'created_at', isDescending: true },
  updatedAt: { column: 'updated_at', isDescending: false },
  '-updatedAt': { column: 'updated_at', isDescending: true },
  priority: { column: 'priority_rank', isDescending: true },
}

const labelled = { table: 'conversations', labelTable: 'conversation_labels', sortedColumn: 'updated_at' }

/** A term may not be spread over texts: all must be in the subject, or all in one message. */
function sources({ match, unsure }: SearchPlan, isErasing: boolean): SearchSource[] {
  const subjects =
    'conversation_search AS f CROSS JOIN conversations AS t ON t.n = f.rowid AND t.tenant_id = @tenant'
  const messages = `message_search AS f CROSS JOIN messages AS m ON m.n = f.rowid AND m.tenant_id = @tenant
    CROSS JOIN conversations AS t ON t.id = m.conversation_id AND t.tenant_id = @tenant`
  const inMessage = { sql: 'matches_content(m.doc, ?)', params: [JSON.stringify(unsure)] }
  return [
    {
      from: subjects,
      where: [...inIndex('conversation_search', match), ...textHasTerms('search_text', unsure)],
    },
    {
      from: messages,
      where: [
        ...inIndex('message_search', match),
        inMessage,
        ...(isErasing ? [notErased('messages', 'm.')] : []),
      ],
    },
  ]
}

function conversationOrder(sort: ConversationFilter['sort']): Order {
  const isValue = sort === 'priority' ? (value: unknown) => Number.isInteger(value) : isMomentValue
  return { list: `conversations:${sort}`, ...orders[sort], isValue }
}

/** Equality on columns that an index begins with; the status is apart, see `conversationQuery`. */
function filterConditions(filter: ConversationFilter, isErasing: boolean): Condition[] {
  const assignee = filter.assignedTo === 'none' ? '' : filter.assignedTo
  return [
    ...equals('assigned_to', assignee),
    ...equals('inbox_id', filter.inboxId),
    ...equals('customer_id', filter.customerId),
    ...equals('channel', filter.channel),
    ...equals('priority', filter.priority),
    ...since('updated_at', filter.updatedSince),
    ...(isErasing ? [notErased('conversations')] : []),
  ]
}

function searchCondition(search: string | undefined, isErasing: boolean): Condition[] {
  const terms = searchTerms(search ?? '')
  if (terms.length === 0) return []
  const json = JSON.stringify(terms)
  const isShown = isErasing ? ` AND ${notErased('messages', 'm.').sql}` : ''
  const sql = `(matches_text(search_text, ?) OR EXISTS (SELECT 1 FROM messages AS m WHERE m.tenant_id = @tenant
    AND m.conversation_id = conversations.id AND matches_content(m.doc, ?)${isShown}))`
  return [{ sql, params: [json, json] }]
}

/**
 * The list in its order. By `updatedAt` each status is a range of its own, also when no status was asked
 * for: the ranges are merged, and one index serves a filter with and without a status.
 */
export function conversationQuery(filter: ConversationFilter, isErasing: boolean): ListQuery {
  const order = conversationOrder(filter.sort)
  const searched = searchCondition(filter.search, isErasing)
  const where = [...filterConditions(filter, isErasing), ...searched]
  const base = { table: 'conversations', columns: recordColumns, order, paging: filter }
  if (filter.label !== undefined && searched.length === 0) {
    const all = [...where, ...isOneOf('status', filter.status)]
    return { ...base, arms: [labelArm(labelled, { order, labels: [filter.label], where: all })] }
  }
  const labels = filter.label === undefined ? [] : hasLabels('conversation_labels', [filter.label], 'n')
  if (order.column !== 'updated_at') {
    return {
      ...base,
      arms: [tableArm('conversations', order, [...isOneOf('status', filter.status), ...where, ...labels])],
    }
  }
  const statuses = new Set(filter.status ?? conversationStatuses)
  const arms = [...statuses].map((status) =>
    tableArm('conversations', order, [...equals('status', status), ...where, ...labels]),
  )
  return { ...base, arms }
}

/** The same list by the search index. Undefined when there is nothing to search for. */
export function conversationSearch(filter: ConversationFilter, isErasing: boolean): SearchQuery | undefined {
  const terms = searchTerms(filter.search ?? '')
  if (terms.length === 0) return undefined
  const labels = filter.label === undefined ? [] : hasLabels('conversation_labels', [filter.label], 't.n')
  return {
    table: 'conversations',
    columns: recordColumns,
    order: conversationOrder(filter.sort),
    where: [...filterConditions(filter, isErasing), ...isOneOf('status', filter.status), ...labels],
    paging: filter,
    terms,
    indexTable: null,
    sources: (plan) => sources(plan, isErasing),
  }
}

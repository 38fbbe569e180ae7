import { conversationStatuses, deliveryStatuses, foldLabel } from '@crmkit/core/vocabulary'
import type { ConversationFilter, CustomerFilter, MessageFilter } from '../../../ports/pages.ts'
import type { TenantStore } from '../../../ports/storage.ts'
import { isMomentValue } from '../../../storage/cursor.ts'
import { searchTerms } from '../../../storage/search-text.ts'
import { equals, hasAll, isOneOf, since } from '../connection/filters.ts'
import type { ListQuery, Order, PagingFilter } from './list-query.ts'

type FilterOf<List extends (filter: never) => unknown> = Parameters<List>[0]

const customerOrders: Record<CustomerFilter['sort'], Pick<Order, 'field' | 'isDescending'>> = {
  createdAt: { field: 'row.createdAt', isDescending: false },
  '-createdAt': { field: 'row.createdAt', isDescending: true },
  updatedAt: { field: 'row.updatedAt', isDescending: false },
  '-updatedAt': { field: 'row.updatedAt', isDescending: true },
  lastName: { field: 'keys.lastName', isDescending: false },
}

export function customerQuery(filter: CustomerFilter): ListQuery {
  const { sort, tier, status, tags, updatedSince, search } = filter
  const isValue = sort === 'lastName' ? (value: unknown) => typeof value === 'string' : isMomentValue
  return {
    collection: 'customers',
    order: { list: `customers:${sort}`, ...customerOrders[sort], isValue },
    where: [
      ...equals('row.tier', tier),
      ...equals('row.status', status),
      ...hasAll('labels', (tags ?? []).map(foldLabel)),
      ...since('row.updatedAt', updatedSince),
    ],
    terms: searchTerms(search ?? ''),
    paging: filter,
  }
}

const conversationOrders: Record<ConversationFilter['sort'], Pick<Order, 'field' | 'isDescending'>> = {
  createdAt: { field: 'row.createdAt', isDescending: false },
  '-createdAt': { field: 'row.createdAt', isDescending: true },
  updatedAt: { field: 'row.updatedAt', isDescending: false },
  '-updatedAt': { field: 'row.updatedAt', isDescending: true },
  priority: { field: 'keys.priorityRank', isDescending: true },
}

/** By `updatedAt` all statuses are named when none was: then every index of the kind serves the order. */
function statusesOf({ status, sort }: ConversationFilter): readonly string[] | undefined {
  return status ?? (sort.endsWith('updatedAt') ? conversationStatuses : undefined)
}

/** The list without its search, which asks the messages too. */
export function conversationQuery(filter: ConversationFilter): ListQuery {
  const { sort, assignedTo, label } = filter
  const isValue = sort === 'priority' ? (value: unknown) => Number.isInteger(value) : isMomentValue
  const statuses = statusesOf(filter)
  return {
    collection: 'conversations',
    order: { list: `conversations:${sort}`, ...conversationOrders[sort], isValue },
    where: [
      ...(statuses ? [isOneOf('row.status', [...new Set(statuses)])] : []),
      ...(assignedTo === 'none' ? [{ 'row.assignedTo': null }] : equals('row.assignedTo', assignedTo)),
      ...equals('row.inboxId', filter.inboxId),
      ...equals('row.customerId', filter.customerId),
      ...equals('row.channel', filter.channel),
      ...equals('row.priority', filter.priority),
      ...hasAll('labels', label === undefined ? [] : [foldLabel(label)]),
      ...since('row.updatedAt', filter.updatedSince),
    ],
    paging: filter,
  }
}

function newestFirst(list: string, field = 'row.createdAt'): Order {
  return { list, field, isDescending: true, isValue: isMomentValue }
}

export function messageQuery(filter: MessageFilter): ListQuery {
  const order = newestFirst(`messages:${filter.order}`)
  return {
    collection: 'messages',
    order: { ...order, isDescending: filter.order === 'desc' },
    where:
      'authorId' in filter
        ? equals('keys.customerId', filter.authorId)
        : equals('row.conversationId', filter.conversationId),
    paging: filter,
  }
}

export function userQuery(paging: PagingFilter): ListQuery {
  return { collection: 'users', order: newestFirst('users'), where: [], paging }
}

export function inboxQuery(paging: PagingFilter): ListQuery {
  return { collection: 'inboxes', order: newestFirst('inboxes'), where: [], paging }
}

export function apiKeyQuery(filter: FilterOf<TenantStore['apiKeys']['list']>): ListQuery {
  const where = [...equals('row.environment', filter.environment), ...equals('row.isActive', filter.isActive)]
  return { collection: 'apiKeys', order: newestFirst('apiKeys'), where, paging: filter }
}

export function webhookQuery(filter: FilterOf<TenantStore['webhooks']['list']>): ListQuery {
  const where = equals('row.isActive', filter.isActive)
  return { collection: 'webhooks', order: newestFirst('webhooks'), where, paging: filter }
}

export function auditQuery(paging: PagingFilter): ListQuery {
  return { collection: 'auditLog', order: newestFirst('auditLog', 'row.at'), where: [], paging }
}

/** As with conversations, all statuses are named so that one index serves both filters. */
export function attemptQuery(filter: FilterOf<TenantStore['attempts']['list']>): ListQuery {
  const statuses = filter.status === undefined ? deliveryStatuses : [filter.status]
  return {
    collection: 'attempts',
    order: newestFirst('attempts'),
    where: [...equals('row.webhookId', filter.webhookId), isOneOf('row.status', statuses)],
    paging: filter,
  }
}

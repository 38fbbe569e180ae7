import { deliveryStatuses } from '@crmkit/core/vocabulary'
import type { MessageFilter } from '../../../ports/pages.ts'
import { isMomentValue } from '../../../storage/cursor.ts'
import { attemptColumns } from '../deliveries/attempt-rows.ts'
import { notErased } from '../erasure/erasures.ts'
import { recordColumns } from './customer-list.ts'
import {
  type Condition,
  equals,
  type ListQuery,
  type Order,
  type PagingFilter,
  tableArm,
} from './list-query.ts'

function newestFirst(list: string, column: string): Order {
  return { list, column, isDescending: true, isValue: isMomentValue }
}

function tableList(
  table: string,
  order: Order,
  { where, paging }: { where: Condition[]; paging: PagingFilter },
): ListQuery {
  return { table, columns: recordColumns, order, arms: [tableArm(table, order, where)], paging }
}

function flagEquals(column: string, isSet: boolean | undefined): Condition[] {
  return isSet === undefined ? [] : equals(column, isSet ? 1 : 0)
}

export function messageQuery(filter: MessageFilter, isErasing: boolean): ListQuery {
  const isDescending = filter.order === 'desc'
  const order = { ...newestFirst(`messages:${filter.order}`, 'created_at'), isDescending }
  return tableList('messages', order, {
    where: [
      ...('authorId' in filter
        ? equals('author_customer_id', filter.authorId)
        : equals('conversation_id', filter.conversationId)),
      ...(isErasing ? [notErased('messages')] : []),
    ],
    paging: filter,
  })
}

export function userQuery(filter: PagingFilter): ListQuery {
  return tableList('users', newestFirst('users', 'created_at'), { where: [], paging: filter })
}

export function inboxQuery(filter: PagingFilter): ListQuery {
  return tableList('inboxes', newestFirst('inboxes', 'created_at'), { where: [], paging: filter })
}

export type ApiKeyFilter = { environment?: string | undefined; isActive?: boolean | undefined } & PagingFilter

export function apiKeyQuery(filter: ApiKeyFilter): ListQuery {
  const where = [...equals('environment', filter.environment), ...flagEquals('is_active', filter.isActive)]
  return tableList('api_keys', newestFirst('apiKeys', 'created_at'), { where, paging: filter })
}

export type WebhookFilter = { isActive?: boolean | undefined } & PagingFilter

export function webhookQuery(filter: WebhookFilter): ListQuery {
  const where = flagEquals('is_active', filter.isActive)
  return tableList('webhooks', newestFirst('webhooks', 'created_at'), { where, paging: filter })
}

export function auditQuery(filter: PagingFilter): ListQuery {
  return tableList('audit_log', newestFirst('auditLog', 'at'), { where: [], paging: filter })
}

export type AttemptFilter = { webhookId: string; status?: string | undefined } & PagingFilter

/** As with conversations, every status is a range of its own. A removed webhook's rows are out of sight at once. */
export function attemptQuery(filter: AttemptFilter): ListQuery {
  const order = newestFirst('attempts', 'created_at')
  const statuses = filter.status === undefined ? deliveryStatuses : [filter.status]
  const exists = 'EXISTS (SELECT 1 FROM webhooks AS w WHERE w.tenant_id = @tenant AND w.id = ?)'
  const arms = statuses.map((status) =>
    tableArm('attempts', order, [
      ...equals('webhook_id', filter.webhookId),
      ...equals('status', status),
      { sql: exists, params: [filter.webhookId] },
    ]),
  )
  const columns = attemptColumns.replaceAll(/\w+/g, (column) => `r.${column}`)
  return { table: 'attempts', columns, order, arms, paging: filter }
}

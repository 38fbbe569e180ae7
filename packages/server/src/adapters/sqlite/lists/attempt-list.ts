import { deliveryStatuses } from '@crmkit/core/vocabulary'
import { isMomentValue } from '../../../storage/cursor.ts'
import { cutPaging } from '../../../storage/cut-lists.ts'
import { attemptColumns } from '../deliveries/attempt-rows.ts'
import { equals, type ListQuery, type Order, type PagingFilter, tableArm } from './list-query.ts'

const newestFirst: Order = {
  list: 'attempts',
  column: 'created_at',
  isDescending: true,
  isValue: isMomentValue,
}

export type AttemptFilter = { webhookId: string; status?: string | undefined } & PagingFilter

/** Reads a range for each status, as for conversations. The rows of a deleted webhook are hidden immediately. */
export function attemptQuery(filter: AttemptFilter): ListQuery {
  const order = newestFirst
  const statuses = filter.status === undefined ? deliveryStatuses : [filter.status]
  const exists = 'EXISTS (SELECT 1 FROM webhooks AS w WHERE w.tenant_id = @tenant AND w.id = ?)'
  const arms = statuses.map((status) =>
    tableArm('attempts', order, {
      range: [...equals('webhook_id', filter.webhookId), ...equals('status', status)],
      where: [{ sql: exists, params: [filter.webhookId] }],
    }),
  )
  const columns = attemptColumns.replaceAll(/\w+/g, (column) => `r.${column}`)
  return { table: 'attempts', columns, order, arms, paging: cutPaging('attempts', filter) }
}

import { deliveryStatuses } from '@crmkit/core/vocabulary'
import type { TenantStore } from '../../../ports/storage.ts'
import { isMomentValue } from '../../../storage/cursor.ts'
import { cutPaging } from '../../../storage/cut-lists.ts'
import { equals, isOneOf } from '../connection/filters.ts'
import type { ListQuery, Order } from './list-query.ts'

const newestFirst: Order = {
  list: 'attempts',
  field: 'row.createdAt',
  isDescending: true,
  isValue: isMomentValue,
}

/** Names all statuses, as for conversations, so that one index serves lists with and without a status filter. */
export function attemptQuery(filter: Parameters<TenantStore['attempts']['list']>[0]): ListQuery {
  const statuses = filter.status === undefined ? deliveryStatuses : [filter.status]
  return {
    collection: 'attempts',
    order: newestFirst,
    where: [...equals('row.webhookId', filter.webhookId), isOneOf('row.status', statuses)],
    paging: cutPaging('attempts', filter),
  }
}

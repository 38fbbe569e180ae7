import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import type { DeliveryQueue, TenantId } from '../../../storage/records.ts'
import { attemptDueAt } from '../../../storage/rules/attempts.ts'
import { type Filter, trusted } from '../connection/filters.ts'
import type { CollectionAccess } from '../connection/scope.ts'
import { encodeRow } from '../rows/encode-row.ts'

/** Attempts of one delivery queue wait under one key, which tells the delivery queue. */
export function deliveryQueueKeyOf({ tenantId, webhookId, isRetry }: DeliveryQueue): string {
  return JSON.stringify([tenantId, webhookId, isRetry])
}

export function deliveryQueueOf(key: string): DeliveryQueue {
  const [tenantId, webhookId, isRetry] = JSON.parse(key) as [TenantId, string, boolean]
  return { tenantId, webhookId, isRetry }
}

/** The keys of a tenant's delivery queues are a range of the index; with a webhook, those of its two delivery queues. */
export function deliveryQueuesOfTenant(tenantId: string, webhookId?: string): Filter {
  const names = webhookId === undefined ? [tenantId] : [tenantId, webhookId]
  const start = `${JSON.stringify(names).slice(0, -1)},`
  return { 'keys.deliveryQueue': trusted({ $gt: start, $lt: `${start}\u{10ffff}` }) }
}

/** Writes attempts, each pending one behind the row by which it is found when it is due. */
export async function insertAttempts(
  access: CollectionAccess,
  attempts: readonly AttemptRecord[],
): Promise<void> {
  const rows = attempts.map((attempt) => ({ id: attempt._id, row: encodeRow(attempt) }))
  const due = attempts.flatMap((attempt) => {
    const dueAt = attemptDueAt(attempt)
    if (dueAt === null) return []
    const { _id: id, tenantId, webhookId } = attempt
    const isRetry = attempt.attempt > 1
    const deliveryQueue = deliveryQueueKeyOf({ tenantId: tenantId as TenantId, webhookId, isRetry })
    return [{ id, keys: { dueAt, webhookId, deliveryQueue } }]
  })
  await access.insert('dueAttempts', due)
  await access.insert('attempts', rows)
}

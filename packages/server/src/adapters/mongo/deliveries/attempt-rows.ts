import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import type { DeliveryQueue, TenantId } from '../../../storage/records.ts'
import { attemptDueAt } from '../../../storage/rules/attempts.ts'
import type { CollectionAccess } from '../connection/access.ts'
import { type Filter, trusted } from '../connection/filters.ts'
import { encodeRow } from '../rows/encode-row.ts'

/** Returns the key of a delivery queue, under which its attempts wait. */
export function deliveryQueueKeyOf({ tenantId, webhookId, isRetry }: DeliveryQueue): string {
  return JSON.stringify([tenantId, webhookId, isRetry])
}

export function deliveryQueueOf(key: string): DeliveryQueue {
  const [tenantId, webhookId, isRetry] = JSON.parse(key) as [TenantId, string, boolean]
  return { tenantId, webhookId, isRetry }
}

/** Matches the keys of a tenant's delivery queues, or of one webhook's two queues. They are a range of the index. */
export function deliveryQueuesOfTenant(tenantId: string, webhookId?: string): Filter {
  const names = webhookId === undefined ? [tenantId] : [tenantId, webhookId]
  const start = `${JSON.stringify(names).slice(0, -1)},`
  return { 'keys.deliveryQueue': trusted({ $gt: start, $lt: `${start}\u{10ffff}` }) }
}

/** Inserts attempts; the row that makes a pending one due is inserted first. */
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

import type { AttemptClaim, DeliveryQueueQuery } from '../../../ports/system-store.ts'
import type { WebhookRecord } from '../../../storage/kinds/webhooks.ts'
import type {
  ClaimedAttempt,
  ClaimedQueue,
  DeliveryQueue,
  PlannedQueue,
  TenantId,
} from '../../../storage/records.ts'
import type { Sql } from '../connection/sql.ts'
import { withoutErased } from '../erasure/erasures.ts'
import { type EventRow, eventColumns, toEvent } from '../events/event-rows.ts'
import { type AttemptRow, attemptColumns, toAttempt } from './attempt-rows.ts'
import type { DeliveryLeases } from './delivery-leases.ts'

interface FrontRow {
  n: number
  due_at: string
}

interface QueueRow {
  tenant_id: TenantId
  webhook_id: string
  is_retry: number
  due_at: string
}

const beforeAll: QueueRow = { tenant_id: '' as TenantId, webhook_id: '', is_retry: 0, due_at: '' }

/** Finds the next delivery queue with one index lookup, however many attempts wait in the previous one. */
function nextQueue(sql: Sql, { tenantId, after }: { tenantId: TenantId | undefined; after: QueueRow }) {
  const { tenant_id, webhook_id, is_retry } = after
  const columns = 'tenant_id, webhook_id, is_retry, due_at'
  if (tenantId !== undefined) {
    return sql.tenant(tenantId).get<QueueRow>(
      `SELECT ${columns} FROM attempts INDEXED BY attempts_queues
       WHERE tenant_id = @tenant AND status = 'pending' AND (webhook_id, is_retry) > (?, ?)
       ORDER BY webhook_id, is_retry, due_at LIMIT 1`,
      webhook_id,
      is_retry,
    )
  }
  return sql.across.get<QueueRow>(
    `SELECT ${columns} FROM attempts INDEXED BY attempts_queues
     WHERE status = 'pending' AND (tenant_id, webhook_id, is_retry) > (?, ?, ?)
     ORDER BY tenant_id, webhook_id, is_retry, due_at LIMIT 1`,
    tenant_id,
    webhook_id,
    is_retry,
  )
}

/** A condition on the webhooks of a tenant. */
const isServed = `is_active = 1 AND NOT EXISTS (
  SELECT 1 FROM tenants AS t
  WHERE t.tenant_id = @tenant AND t.id = @tenant AND json_extract(t.doc, '$.isSuspended') = 1)`

function activeUrl(sql: Sql, { tenant_id, webhook_id }: QueueRow): string | undefined {
  const text = `SELECT json_extract(doc, '$.url') AS url FROM webhooks
    WHERE tenant_id = @tenant AND id = ? AND ${isServed}`
  return sql.tenant(tenant_id).get<{ url: string }>(text, webhook_id)?.url
}

/** Reads at most `limit` delivery queues, those of inactive webhooks included. */
export function listDeliveryQueues(sql: Sql, { tenantId, after, limit }: DeliveryQueueQuery) {
  const deliveryQueues: PlannedQueue[] = []
  let last = after ? (JSON.parse(after) as QueueRow) : beforeAll
  for (let count = 0; count < limit; count++) {
    const row = nextQueue(sql, { tenantId, after: last })
    if (!row) return { deliveryQueues, next: null }
    last = row
    const url = activeUrl(sql, row)
    if (url === undefined) continue
    const { tenant_id, webhook_id, is_retry, due_at } = row
    const isRetry = is_retry === 1
    deliveryQueues.push({ tenantId: tenant_id, webhookId: webhook_id, isRetry, url, nextAt: due_at })
  }
  return { deliveryQueues, next: JSON.stringify(last) }
}

function deliveryQueueKey({ tenantId, webhookId, isRetry }: DeliveryQueue): string {
  return `${tenantId}\u0000${webhookId}\u0000${isRetry}`
}

interface Claiming {
  sql: Sql
  leases: DeliveryLeases
  claim: AttemptClaim
}

function findActiveWebhook(sql: Sql, { tenantId, webhookId }: DeliveryQueue): WebhookRecord | undefined {
  const text = `SELECT doc FROM webhooks WHERE tenant_id = @tenant AND id = ? AND ${isServed}`
  const found = sql.tenant(tenantId).get<{ doc: string }>(text, webhookId)
  return found && (JSON.parse(found.doc) as WebhookRecord)
}

type LimitedQueue = DeliveryQueue & { limit: number }

/**
 * Reads enough rows from the front of the delivery queue to find `limit` that are not leased, and the row after them.
 * Uses only the index.
 */
function readFront({ sql, leases }: Claiming, deliveryQueue: LimitedQueue): FrontRow[] {
  return sql.tenant(deliveryQueue.tenantId).all<FrontRow>(
    `SELECT n, due_at FROM attempts INDEXED BY attempts_queues
     WHERE tenant_id = @tenant AND webhook_id = ? AND is_retry = ? AND status = 'pending'
     ORDER BY due_at LIMIT ?`,
    deliveryQueue.webhookId,
    deliveryQueue.isRetry ? 1 : 0,
    deliveryQueue.limit + leases.countOf(deliveryQueueKey(deliveryQueue)) + 1,
  )
}

interface FreeRow {
  n: number
  deliveryQueue: DeliveryQueue
  webhook: WebhookRecord
}

function claimOne(
  { sql, leases, claim }: Claiming,
  { n, deliveryQueue, webhook }: FreeRow,
): ClaimedAttempt | undefined {
  const { now, leaseMs, lockToken } = claim
  const { tenantId } = deliveryQueue
  const scoped = sql.tenant(tenantId)
  const row = scoped.get<AttemptRow>(
    `SELECT ${attemptColumns} FROM attempts WHERE tenant_id = @tenant AND n = ?`,
    n,
  )
  const event =
    row &&
    scoped.get<EventRow>(
      `SELECT ${eventColumns} FROM events WHERE tenant_id = @tenant AND id = ?`,
      row.event_id,
    )
  const [visible] = withoutErased(scoped, event ? [event] : [])
  if (!row || !visible) return undefined
  const until = new Date(Date.parse(now) + leaseMs).toISOString()
  leases.add(n, {
    tenantId,
    attemptId: row.id,
    lockToken,
    until,
    deliveryQueue: deliveryQueueKey(deliveryQueue),
    now,
  })
  return { tenantId, attempt: toAttempt(row), webhook, event: toEvent(visible), lockToken }
}

function claimDeliveryQueue(claiming: Claiming, deliveryQueue: LimitedQueue): ClaimedQueue {
  const { sql, leases, claim } = claiming
  const { now } = claim
  const webhook = findActiveWebhook(sql, deliveryQueue)
  if (!webhook) return { claims: [], nextAt: null }
  const claims: ClaimedAttempt[] = []
  let nextAt: string | null = null
  for (const { n, due_at } of readFront(claiming, deliveryQueue)) {
    const heldUntil = leases.heldUntil(n, now)
    const isClaimable = heldUntil === undefined && due_at <= now && claims.length < deliveryQueue.limit
    if (isClaimable) {
      const claimed = claimOne(claiming, { n, deliveryQueue, webhook })
      if (claimed) claims.push(claimed)
      continue
    }
    const freeAt = heldUntil ?? due_at
    if (nextAt === null || freeAt < nextAt) nextAt = freeAt
    if (heldUntil === undefined) break
  }
  return { claims, nextAt }
}

/** Reads due attempts and notes their leases in memory: nothing is written. */
export function claimDeliveryQueues(claiming: Claiming): ClaimedQueue[] {
  return claiming.claim.deliveryQueues.map((deliveryQueue) => claimDeliveryQueue(claiming, deliveryQueue))
}

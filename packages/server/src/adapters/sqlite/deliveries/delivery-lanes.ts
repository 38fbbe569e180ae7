import type { SystemStore } from '../../../ports/storage.ts'
import type { WebhookRecord } from '../../../storage/kinds/webhooks.ts'
import type {
  ClaimedAttempt,
  ClaimedLane,
  DeliveryLane,
  PlannedLane,
  TenantId,
} from '../../../storage/records.ts'
import type { Sql } from '../connection/sql.ts'
import { withoutErased } from '../erasure/erasures.ts'
import { type EventRow, eventColumns, toEvent } from '../events/event-rows.ts'
import { type AttemptRow, attemptColumns, toAttempt } from './attempt-rows.ts'
import type { DeliveryLeases } from './delivery-leases.ts'

type Claim = Parameters<SystemStore['claimDueAttempts']>[0]
type Query = Parameters<SystemStore['listDeliveryLanes']>[0]

interface FrontRow {
  n: number
  due_at: string
}

interface LaneRow {
  tenant_id: TenantId
  webhook_id: string
  is_retry: number
  due_at: string
}

const beforeAll: LaneRow = { tenant_id: '' as TenantId, webhook_id: '', is_retry: 0, due_at: '' }

/** One step of the index, however many attempts wait in the lane before. */
function nextLane(sql: Sql, { tenantId, after }: { tenantId: TenantId | undefined; after: LaneRow }) {
  const { tenant_id, webhook_id, is_retry } = after
  const columns = 'tenant_id, webhook_id, is_retry, due_at'
  if (tenantId !== undefined) {
    return sql.tenant(tenantId).get<LaneRow>(
      `SELECT ${columns} FROM attempts INDEXED BY attempts_lanes
       WHERE tenant_id = @tenant AND status = 'pending' AND (webhook_id, is_retry) > (?, ?)
       ORDER BY webhook_id, is_retry, due_at LIMIT 1`,
      ...[webhook_id, is_retry],
    )
  }
  return sql.across.get<LaneRow>(
    `SELECT ${columns} FROM attempts INDEXED BY attempts_lanes
     WHERE status = 'pending' AND (tenant_id, webhook_id, is_retry) > (?, ?, ?)
     ORDER BY tenant_id, webhook_id, is_retry, due_at LIMIT 1`,
    ...[tenant_id, webhook_id, is_retry],
  )
}

function activeUrl(sql: Sql, { tenant_id, webhook_id }: LaneRow): string | undefined {
  const text = `SELECT json_extract(doc, '$.url') AS url FROM webhooks
    WHERE tenant_id = @tenant AND id = ? AND is_active = 1`
  return sql.tenant(tenant_id).get<{ url: string }>(text, webhook_id)?.url
}

/** At most `limit` steps over lanes, those of inactive webhooks included. */
export function listLanes(sql: Sql, { tenantId, after, limit }: Query) {
  const lanes: PlannedLane[] = []
  let last = after ? (JSON.parse(after) as LaneRow) : beforeAll
  for (let step = 0; step < limit; step++) {
    const row = nextLane(sql, { tenantId, after: last })
    if (!row) return { lanes, next: null }
    last = row
    const url = activeUrl(sql, row)
    if (url === undefined) continue
    const { tenant_id, webhook_id, is_retry, due_at } = row
    const isRetry = is_retry === 1
    lanes.push({ tenantId: tenant_id, webhookId: webhook_id, isRetry, url, nextAt: due_at })
  }
  return { lanes, next: JSON.stringify(last) }
}

function laneKey({ tenantId, webhookId, isRetry }: DeliveryLane): string {
  return `${tenantId}\u0000${webhookId}\u0000${isRetry}`
}

interface Claiming {
  sql: Sql
  leases: DeliveryLeases
  claim: Claim
}

function findActiveWebhook(sql: Sql, { tenantId, webhookId }: DeliveryLane): WebhookRecord | undefined {
  const text = 'SELECT doc FROM webhooks WHERE tenant_id = @tenant AND id = ? AND is_active = 1'
  const found = sql.tenant(tenantId).get<{ doc: string }>(text, webhookId)
  return found && (JSON.parse(found.doc) as WebhookRecord)
}

/**
 * Enough of the lane's front to find `limit` that are free behind those that are leased, and what follows them. The
 * index alone answers.
 */
function readFront({ sql, leases }: Claiming, lane: DeliveryLane & { limit: number }): FrontRow[] {
  return sql.tenant(lane.tenantId).all<FrontRow>(
    `SELECT n, due_at FROM attempts INDEXED BY attempts_lanes
     WHERE tenant_id = @tenant AND webhook_id = ? AND is_retry = ? AND status = 'pending'
     ORDER BY due_at LIMIT ?`,
    ...[lane.webhookId, lane.isRetry ? 1 : 0, lane.limit + leases.countOf(laneKey(lane)) + 1],
  )
}

function claimOne(
  { sql, leases, claim }: Claiming,
  { n, lane, webhook }: { n: number; lane: DeliveryLane; webhook: WebhookRecord },
): ClaimedAttempt | undefined {
  const { now, leaseMs, lockToken } = claim
  const { tenantId } = lane
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
  const [seen] = withoutErased(scoped, event ? [event] : [])
  if (!row || !seen) return undefined
  const until = new Date(Date.parse(now) + leaseMs).toISOString()
  leases.add(n, { tenantId, attemptId: row.id, lockToken, until, lane: laneKey(lane), now })
  return { tenantId, attempt: toAttempt(row), webhook, event: toEvent(seen), lockToken }
}

function claimLane(claiming: Claiming, lane: DeliveryLane & { limit: number }): ClaimedLane {
  const { sql, leases, claim } = claiming
  const { now } = claim
  const webhook = findActiveWebhook(sql, lane)
  if (!webhook) return { claims: [], nextAt: null }
  const claims: ClaimedAttempt[] = []
  let nextAt: string | null = null
  for (const { n, due_at } of readFront(claiming, lane)) {
    const heldUntil = leases.heldUntil(n, now)
    const isClaimable = heldUntil === undefined && due_at <= now && claims.length < lane.limit
    if (isClaimable) {
      const claimed = claimOne(claiming, { n, lane, webhook })
      if (claimed) claims.push(claimed)
      continue
    }
    const freeAt = heldUntil ?? due_at
    if (nextAt === null || freeAt < nextAt) nextAt = freeAt
    if (heldUntil === undefined) break
  }
  return { claims, nextAt }
}

/** Reads what is due and remembers that it is claimed: nothing is written. */
export function claimLanes(claiming: Claiming): ClaimedLane[] {
  return claiming.claim.lanes.map((lane) => claimLane(claiming, lane))
}

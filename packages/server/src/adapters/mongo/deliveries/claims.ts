import { randomUUID } from 'node:crypto'
import type { AttemptClaim, DeliveryQueueQuery } from '../../../ports/system-store.ts'
import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import type { EventRecord } from '../../../storage/kinds/events.ts'
import type { WebhookRecord } from '../../../storage/kinds/webhooks.ts'
import type { AttemptResult, ClaimedAttempt, ClaimedQueue, TenantId } from '../../../storage/records.ts'
import { type Across, type Database, type RowRef, refKey } from '../connection/access.ts'
import type { CollectionName } from '../connection/collections.ts'
import { trusted } from '../connection/filters.ts'
import { untilAvailable } from '../connection/transaction.ts'
import { tenantsWithErasures, withoutErased } from '../erasure/erasures.ts'
import { decodeRow } from '../rows/encode-row.ts'
import { type DueAttempt, findDue, listDeliveryQueues, nextOfEach } from './delivery-queues.ts'
import { countResults } from './webhook-counts.ts'
import { writeResults } from './write-results.ts'

async function readByRefs<T>(
  across: Across,
  name: CollectionName,
  refs: readonly RowRef[],
): Promise<Map<string, T>> {
  const distinct = new Map(refs.map((ref) => [refKey(ref), ref]))
  const rows = await across.findByRefs(name, [...distinct.values()])
  return new Map(rows.map((row) => [refKey(row), decodeRow<T>(row.row)]))
}

/** Leases those of `wanted` that are still due and returns their keys. Leases of other processes stay as they are. */
async function lease(
  across: Across,
  wanted: readonly DueAttempt[],
  claim: AttemptClaim,
): Promise<Set<string>> {
  if (wanted.length === 0) return new Set()
  const { now, leaseMs, lockToken } = claim
  // Identifies this lease: a caller may use its token again.
  const mark = randomUUID()
  const dueAt = new Date(Date.parse(now) + leaseMs).toISOString()
  const leaseThem = () =>
    across.updateByRefs('dueAttempts', wanted, {
      where: { 'keys.dueAt': trusted({ $lte: now }) },
      update: { $set: { 'keys.dueAt': dueAt, 'keys.lockToken': lockToken, 'keys.claim': mark } },
    })
  // The primary may be lost between the lease and its reply. The mark finds the leased rows in a repetition; without
  // one, no process would make these attempts until the lease expires.
  const rows = await untilAvailable(async (): Promise<readonly RowRef[]> => {
    if ((await leaseThem()) === wanted.length) return wanted
    const found = await across.findByRefs('dueAttempts', wanted)
    return found.filter(({ keys }) => keys?.['claim'] === mark)
  }, leaseMs / 3)
  return new Set(rows.map(refKey))
}

/** Returns the events as a receiver may see them: without content that is erased and not deleted yet. */
async function visibleEvents(
  database: Database,
  events: Map<string, EventRecord>,
): Promise<Map<string, EventRecord>> {
  const ofTenants = Map.groupBy(events.values(), ({ tenantId }) => tenantId)
  const erasing = await tenantsWithErasures(database, [...ofTenants.keys()])
  const visible = new Map(events)
  for (const tenantId of erasing) {
    const found = await withoutErased(database.tenant(tenantId), ofTenants.get(tenantId) ?? [])
    for (const event of found) visible.set(refKey({ tenantId, id: event._id }), event)
  }
  return visible
}

/** Reads the attempts, and their events as a receiver may see them. */
async function readAttempts(database: Database, leased: readonly DueAttempt[]) {
  const across = database.across()
  const attempts = await readByRefs<AttemptRecord>(across, 'attempts', leased)
  const events = await readByRefs<EventRecord>(
    across,
    'events',
    [...attempts.values()].map(({ tenantId, eventId }) => ({ tenantId, id: eventId })),
  )
  return { attempts, visible: await visibleEvents(database, events) }
}

async function completeAll(
  database: Database,
  leased: readonly DueAttempt[],
  lockToken: string,
): Promise<Map<string, ClaimedAttempt>> {
  const across = database.across()
  const webhookRefs = leased.map(({ tenantId, webhookId }) => ({ tenantId, id: webhookId }))
  const [webhooks, { attempts, visible }] = await Promise.all([
    readByRefs<WebhookRecord>(across, 'webhooks', webhookRefs),
    readAttempts(database, leased),
  ])
  const complete = new Map<string, ClaimedAttempt>()
  for (const { tenantId, id, webhookId } of leased) {
    const attempt = attempts.get(refKey({ tenantId, id }))
    const webhook = webhooks.get(refKey({ tenantId, id: webhookId }))
    const event = attempt && visible.get(refKey({ tenantId, id: attempt.eventId }))
    // The webhook may have been deactivated since its delivery queues were read.
    if (!attempt || !webhook?.isActive || !event) continue
    const claimed = { tenantId: tenantId as TenantId, attempt, webhook, event, lockToken }
    complete.set(refKey({ tenantId, id }), claimed)
  }
  return complete
}

async function claimDeliveryQueues(database: Database, claim: AttemptClaim): Promise<ClaimedQueue[]> {
  const { deliveryQueues, now, lockToken } = claim
  const across = database.across()
  const due = await findDue(across, deliveryQueues, now)
  const leasedKeys = await lease(
    across,
    due.flatMap((found) => found ?? []),
    claim,
  )
  const leased = due.map((found) => found?.filter((attempt) => leasedKeys.has(refKey(attempt))) ?? [])
  const complete = await completeAll(database, leased.flat(), lockToken)
  const claims = leased.map((mine) => mine.flatMap((attempt) => complete.get(refKey(attempt)) ?? []))
  // After a full claim more may be due, and also when other processes have leased some of these attempts.
  const isMoreLikely = deliveryQueues.map(({ limit }, index) => {
    const count = due[index]?.length ?? 0
    return count >= limit || (leased[index]?.length ?? 0) < count
  })
  const isAsked = (_: unknown, index: number) => due[index] !== undefined && !isMoreLikely[index]
  const next = await nextOfEach(across, deliveryQueues.filter(isAsked))
  return deliveryQueues.map((deliveryQueue, index) => {
    if (due[index] === undefined) return { claims: [], nextAt: null }
    const nextAt = isAsked(deliveryQueue, index) ? (next.shift() ?? null) : now
    return { claims: claims[index] ?? [], nextAt }
  })
}

async function finishAttempts(database: Database, results: readonly AttemptResult[]): Promise<number> {
  const written = await writeResults(database, results)
  await countResults(database, written)
  return written.length
}

export function createClaims(database: Database) {
  return {
    deliveryQueues: (query: DeliveryQueueQuery) => listDeliveryQueues(database.across(), query),
    claim: (claim: AttemptClaim) => claimDeliveryQueues(database, claim),
    finish: async (results: readonly AttemptResult[]) =>
      results.length === 0 ? 0 : finishAttempts(database, results),
  }
}

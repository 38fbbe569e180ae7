import { createIdFactory } from '@crmkit/core/vocabulary'
import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import type { EventRecord } from '../../../storage/kinds/events.ts'
import type { TenantId } from '../../../storage/records.ts'
import { plannedAttempt } from '../../../storage/rules/attempts.ts'
import type { CollectionAccess, Database, RowRef, StoredRow } from '../connection/access.ts'
import { type Filter, isOneOf, trusted } from '../connection/filters.ts'
import { inTransaction } from '../connection/transaction.ts'
import { insertAttempts } from '../deliveries/attempt-rows.ts'
import { decodeRow } from '../rows/encode-row.ts'
import {
  type KnownSubscriptions,
  readSubscriptions,
  readSubscriptionsOf,
  type Subscriptions,
} from './subscriptions.ts'

/*
 * A commit plans the attempts of its events by webhooks that this process read a moment ago, and another process may have
 * changed them since. So an event carries the stamp of those webhooks until its plan is settled:
 *
 * - A change of webhooks first settles, in its own transaction, the events that were committed before it: their plans
 *   become what the webhooks before the change ask for, and the stamp is removed.
 * - The sequencer compares the stamps of a batch with the webhooks as they are, and settles the events that differ, before
 *   it gives them positions. It reads the webhooks after the events, so it sees each change that was before an event.
 *
 * An event that still has its stamp beside changed webhooks was therefore not committed before their change.
 */

/** An event that the sequencer found: its stamp is undefined once its plan is settled. */
export interface StampedRef extends RowRef {
  stamp: string | undefined
}

const unsettled = { 'keys.isNew': 1, 'keys.stamp': trusted({ $exists: true }) }
const fields = ['id', 'row.type', 'row.timestamp', 'keys']
const ids = createIdFactory(() => Date.now())

export function stampOf({ keys }: Pick<StoredRow, 'keys'>): string | undefined {
  const stamp = keys?.['stamp']
  return typeof stamp === 'string' ? stamp : undefined
}

/** Returns whether the commit of the event planned it: an attempt that somebody asked for is of a later moment. */
function isPlannedWith({ timestamp }: Pick<EventRecord, 'timestamp'>, attempt: AttemptRecord): boolean {
  return attempt.status === 'pending' && attempt.attempt === 1 && attempt.createdAt === timestamp
}

/** Deletes attempts that nobody has leased. */
async function removeFree(access: CollectionAccess, attempts: readonly AttemptRecord[]): Promise<void> {
  if (attempts.length === 0) return
  const among = access.among(attempts.map(({ _id }) => _id))
  const due = await access.find('dueAttempts', { ...among, 'keys.lockToken': null }, { fields: ['id'] })
  const free = access.among(due.map(({ id }) => id))
  await access.remove('dueAttempts', free)
  await access.remove('attempts', free)
}

/** Makes the attempts of events those that the webhooks ask for. Returns how many were added. */
async function correctPlans(
  access: CollectionAccess,
  events: readonly EventRecord[],
  { tenantId, all }: { tenantId: string; all: Subscriptions['all'] },
): Promise<number> {
  const eventIds = events.map(({ _id }) => _id)
  const rows = await access.find('attempts', isOneOf('row.eventId', eventIds))
  const attempts = Map.groupBy(
    rows.map(({ row }) => decodeRow<AttemptRecord>(row)),
    ({ eventId }) => eventId,
  )
  const missing: AttemptRecord[] = []
  const unwanted: AttemptRecord[] = []
  for (const event of events) {
    const planned = attempts.get(event._id) ?? []
    const has = new Set(planned.map(({ webhookId }) => webhookId))
    const wants = new Set(
      all.filter((one) => one.events.includes(event.type)).map(({ webhookId }) => webhookId),
    )
    for (const webhookId of wants)
      if (!has.has(webhookId)) missing.push(plannedAttempt(event, { tenantId, webhookId, ids }))
    unwanted.push(...planned.filter((one) => !wants.has(one.webhookId) && isPlannedWith(event, one)))
  }
  await insertAttempts(access, missing)
  await removeFree(access, unwanted)
  return missing.length
}

/**
 * Settles the plans of new events of a tenant by its webhooks as this transaction sees them; `among` limits the events.
 * Returns how many attempts were added.
 */
export async function settlePlans(
  access: CollectionAccess,
  tenantId: string,
  among?: readonly string[],
): Promise<number> {
  const wanted: Filter = { ...unsettled, ...(among && access.among(among)) }
  const found = await access.find('events', wanted, { fields, ...(!among && { index: 'sequence' }) })
  if (found.length === 0) return 0
  const { stamp, all } = await readSubscriptions(access)
  const stale = found
    .filter((row) => stampOf(row) !== stamp)
    .map(({ id, row }) => ({ ...decodeRow<EventRecord>(row), _id: id }))
  const added = stale.length === 0 ? 0 : await correctPlans(access, stale, { tenantId, all })
  const these = access.among(found.map(({ id }) => id))
  await access.update('events', { ...these, ...unsettled }, { $unset: { 'keys.stamp': '' } })
  return added
}

export interface Corrected {
  tenantId: TenantId
  /** How many attempts were added. */
  deliveries: number
  durationMs: number
}

interface SettlingParts {
  database: Database
  known: KnownSubscriptions
  onCorrected(corrected: Corrected): void
}

/** Settles the plans of those events that were not planned by the webhooks as they are now. */
export function createSettling({ database, known, onCorrected }: SettlingParts) {
  const across = database.across()

  async function settleOf(tenantId: string, events: readonly StampedRef[]): Promise<void> {
    // The next events of this process are planned by the changed webhooks.
    known.forget(tenantId)
    const startedAt = performance.now()
    const eventIds = events.map(({ id }) => id)
    const deliveries = await inTransaction(database, (session) =>
      settlePlans(database.tenant(tenantId, session), tenantId, eventIds),
    )
    const durationMs = performance.now() - startedAt
    if (deliveries > 0) onCorrected({ tenantId: tenantId as TenantId, deliveries, durationMs })
  }

  return async (events: readonly StampedRef[]): Promise<void> => {
    const stamped = Map.groupBy(
      events.filter(({ stamp }) => stamp !== undefined),
      ({ tenantId }) => tenantId,
    )
    if (stamped.size === 0) return
    const subscriptions = await readSubscriptionsOf(across, [...stamped.keys()])
    for (const [tenantId, ofTenant] of stamped) {
      const stale = ofTenant.filter(({ stamp }) => stamp !== subscriptions.get(tenantId)?.stamp)
      if (stale.length > 0) await settleOf(tenantId, stale)
    }
  }
}

import type { DomainEvent, IdFactory } from '@crmkit/core'
import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import type { EventRecord } from '../../../storage/kinds/events.ts'
import type { WebhookRecord } from '../../../storage/kinds/webhooks.ts'
import { plannedAttempt } from '../../../storage/rules/attempts.ts'
import type { CollectionAccess } from '../connection/scope.ts'
import { insertAttempts } from '../deliveries/attempt-rows.ts'
import { decodeRow, encodeRow } from '../rows/encode-row.ts'
import { withoutPosition } from './event-sequencer.ts'

interface Subscription {
  webhookId: string
  events: readonly string[]
}

/** Reads the webhooks in this transaction: another process may have changed them a moment ago. */
async function readSubscriptions(access: CollectionAccess): Promise<Subscription[]> {
  const fields = ['id', 'row.events']
  const rows = await access.find('webhooks', { 'row.isActive': true }, { fields })
  return rows.map(({ id, row }) => ({
    webhookId: id,
    events: decodeRow<Pick<WebhookRecord, 'events'>>(row).events,
  }))
}

/** Adds events to the log; the sequencer gives a position to those without one. */
export async function insertEvents(
  access: CollectionAccess,
  events: readonly (EventRecord & { position?: number | null })[],
): Promise<void> {
  const rows = events.map(({ position = null, ...event }) => ({
    id: event._id,
    row: encodeRow(event),
    subjects: [...new Set(event.subjects)],
    keys: position === null ? { ...withoutPosition } : { position },
  }))
  await access.insert('events', rows)
}

/** Writes events, each with a pending attempt for every webhook that subscribes to it; returns the attempts of each event. */
export async function writeEvents(
  access: CollectionAccess,
  events: readonly DomainEvent[],
  { tenantId, ids }: { tenantId: string; ids: IdFactory },
): Promise<number[]> {
  if (events.length === 0) return []
  await insertEvents(
    access,
    events.map((event) => ({ ...event, tenantId })),
  )
  const subscriptions = await readSubscriptions(access)
  const attempts: AttemptRecord[][] = events.map((event) =>
    subscriptions
      .filter((subscription) => subscription.events.includes(event.type))
      .map(({ webhookId }) => plannedAttempt(event, { tenantId, webhookId, ids })),
  )
  await insertAttempts(access, attempts.flat())
  return attempts.map(({ length }) => length)
}

import type { DomainEvent, IdFactory } from '@crmkit/core'
import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import type { EventRecord } from '../../../storage/kinds/events.ts'
import { plannedAttempt } from '../../../storage/rules/attempts.ts'
import type { CollectionAccess } from '../connection/access.ts'
import { insertAttempts } from '../deliveries/attempt-rows.ts'
import { encodeRow } from '../rows/encode-row.ts'
import { withoutPosition } from './event-sequencer.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Adds events to the log; the sequencer gives a position to those without one, and corrects plans by their stamps. */
export async function insertEvents(
  access: CollectionAccess,
  events: readonly (EventRecord & { position?: number | null })[],
  stamp?: string,
): Promise<void> {
  const rows = events.map(({ position = null, ...event }) => ({
    id: event._id,
    row: encodeRow(event),
    subjects: [...new Set(event.subjects)],
    keys: position === null ? { ...withoutPosition, ...(stamp !== undefined && { stamp }) } : { position },
  }))
  await access.insert('events', rows)
}

interface Planning {
  tenantId: string
  ids: IdFactory
  subscriptions: Subscriptions
}

/** Writes events, each with a pending attempt for every webhook that subscribes to it; returns the attempts of each event. */
export async function writeEvents(
  access: CollectionAccess,
  events: readonly DomainEvent[],
  { tenantId, ids, subscriptions }: Planning,
): Promise<number[]> {
  await insertEvents(
    access,
    events.map((event) => ({ ...event, tenantId })),
    subscriptions.stamp,
  )
  const attempts: AttemptRecord[][] = events.map((event) =>
    subscriptions.all
      .filter((subscription) => subscription.events.includes(event.type))
      .map(({ webhookId }) => plannedAttempt(event, { tenantId, webhookId, ids })),
  )
  await insertAttempts(access, attempts.flat())
  return attempts.map(({ length }) => length)
}

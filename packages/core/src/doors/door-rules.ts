import { type DomainEvent, makeEvent } from '../events/event.ts'
import type { Door, DoorName, DoorPart } from './door.ts'

export const partOfDoor: Readonly<Record<DoorName, DoorPart>> = {
  mailbox: 'receiving',
  server: 'sending',
  events: 'sending',
  rest: 'sending',
  source: 'syncing',
}

/** Trouble that lasts as long is reported, and a door without trouble for as long works again. */
export const doorPatienceMs = 15 * 60_000

/** Reports that a door fails, or works again. */
export function doorEvent(
  change: 'failing' | 'recovered',
  {
    door: { inboxId, integrationId, part, since, reason, waiting },
    id,
    now,
  }: { door: Door; id: string; now: string },
): DomainEvent {
  return integrationId === null
    ? makeEvent({
        id,
        type: `inbox.${change}`,
        now,
        subjects: [inboxId],
        data: { inboxId, part, since, reason, waiting },
      })
    : makeEvent({
        id,
        type: `integration.${change}`,
        now,
        subjects: [integrationId],
        data: { integrationId, since, reason },
      })
}

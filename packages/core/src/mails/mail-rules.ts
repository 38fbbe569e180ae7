import { type DomainEvent, makeEvent } from '../events/event.ts'
import type { ParkedMail } from './inbound-mail.ts'

/** Reports a mail that needs a person. It names no address and no subject: an erasure would not find them here. */
export function mailParkedEvent(
  { _id, inboxId, door, status, reason, receivedAt }: ParkedMail,
  { id, now }: { id: string; now: string },
): DomainEvent {
  const data = { _id, inboxId, door, status, reason, receivedAt }
  return makeEvent({ id, type: 'mail.parked', now, subjects: [_id], data })
}

import { createHash } from 'node:crypto'
import type { AttemptRecord } from '../../storage/kinds/attempts.ts'
import type { EventRecord } from '../../storage/kinds/events.ts'

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Returns an id that depends on the delivery alone: when two requests plan the same attempt at the same moment, the
 * second one finds that it exists. The id has the form of all other ids.
 */
function idOf(prefix: 'dlv' | 'log', ...of: (string | number)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(of)).digest()
  const digits = Array.from({ length: 25 }, (_, i) => crockford[(bytes[i] ?? 0) % 32])
  return `${prefix}_0${digits.join('')}`
}

interface Delivery {
  event: EventRecord
  webhookId: string
  now: string
  /** The latest attempt at this event; undefined when there is none. */
  latest: AttemptRecord | undefined
}

/** Returns the next attempt for an event at a webhook, due now. */
export function repeatedAttempt({ event, webhookId, now, latest }: Delivery): AttemptRecord {
  const { tenantId, _id: eventId } = event
  const deliveryId = latest?.deliveryId ?? idOf('dlv', tenantId, webhookId, eventId)
  const attempt = (latest?.attempt ?? 0) + 1
  return {
    _id: idOf('log', tenantId, deliveryId, attempt),
    tenantId,
    webhookId,
    event: event.type,
    status: 'pending',
    statusCode: null,
    attempt,
    deliveredAt: null,
    responseTime: null,
    error: null,
    errorCode: null,
    eventId,
    deliveryId,
    nextAttemptAt: now,
    timings: null,
    remoteAddress: null,
    createdAt: now,
  }
}

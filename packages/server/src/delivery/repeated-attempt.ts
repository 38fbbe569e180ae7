import { createHash } from 'node:crypto'
import type { AttemptRecord } from '../storage/kinds/attempts.ts'
import type { EventRecord } from '../storage/kinds/events.ts'

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * An id that is the same whenever and wherever it is made for the same delivery: of two requests that plan one
 * attempt at once the second finds it there. It has the form of the other ids.
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

/** The attempt that comes next for an event at a webhook, due now. */
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

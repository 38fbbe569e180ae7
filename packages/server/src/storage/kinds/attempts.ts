import type { DeliveryCounts, DeliveryLog } from '@crmkit/core'
import { defineOwnKind } from './define-kind.ts'
import {
  because,
  json,
  moment,
  nullableMoment,
  nullableNumber,
  nullableText,
  number,
  reference,
  tenantRow,
  text,
  word,
} from './fields.ts'

/**
 * One attempt to deliver one event to one webhook: planned (`pending`), or done. The first is written by
 * the commit of the event itself. `deliveryId` is shared by all attempts of one event at one webhook.
 */
export interface AttemptRecord extends DeliveryLog {
  tenantId: string
}

export const attempts = defineOwnKind<AttemptRecord>()('attempts', {
  why: 'Attempts are claimed, finished and planned anew in groups, many thousands a second.',
  fields: {
    ...tenantRow,
    webhookId: reference('webhooks'),
    event: because('a type of an event', text('plain')),
    status: word('plain'),
    statusCode: nullableNumber('plain'),
    attempt: number('plain'),
    deliveredAt: nullableMoment('plain'),
    responseTime: nullableNumber('plain'),
    error: because('a sentence of the service about a server', nullableText('plain')),
    errorCode: because('a code of the service or of the network', nullableText('plain')),
    eventId: reference('events'),
    deliveryId: text('id'),
    nextAttemptAt: nullableMoment('plain'),
    timings: because('milliseconds of a request', json('plain')),
    remoteAddress: because('of the server that receives the webhook', nullableText('plain')),
    createdAt: moment('plain'),
  },
  erasure: {
    rows: 'kept',
    why: 'They say how a receiver responded, in words of our own; the body is in the event.',
  },
})

/** Counts of a webhook's attempts, beside its row: so they cause no conflict with changes of the webhook. */
export interface WebhookCounts extends DeliveryCounts {
  webhookId: string
}

/** The delivery health of a webhook, by which it is deactivated. */
export const webhookCounts = defineOwnKind<WebhookCounts & { _id: string; tenantId: string }>()(
  'webhookCounts',
  {
    why: 'Every group of results counts up, outside of all versions.',
    fields: {
      ...tenantRow,
      webhookId: reference('webhooks'),
      consecutiveFailures: number('plain'),
      failingSince: nullableMoment('plain'),
      lastSuccessAt: nullableMoment('plain'),
      lastFailureAt: nullableMoment('plain'),
    },
    erasure: { rows: 'kept' },
  },
)

/** Deleted webhooks whose attempts are still to be removed. */
export const removedWebhooks = defineOwnKind<{ _id: string; tenantId: string }>()('removedWebhooks', {
  why: 'A mark without content.',
  fields: tenantRow,
  erasure: { rows: 'kept' },
})

import { eventSchemas } from '@crmkit/core'

const text = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
})

/** All events have the same headers, so each is declared once. */
export const receivedEventParameters = {
  WebhookSignature: text(
    'webhook-signature',
    'Signatures of Standard Webhooks, separated by a space: `v1,` and the base64 HMAC-SHA256 of `webhook-id`.`webhook-timestamp`.body. The key is the base64 after `whsec_`, decoded.',
  ),
  WebhookId: text('webhook-id', 'Id of the event, the same in all attempts and redeliveries.'),
  WebhookTimestamp: text(
    'webhook-timestamp',
    'Time of the attempt, Unix seconds. Refuse more than 300 seconds of difference.',
  ),
  XWebhookSignature: text(
    'X-Webhook-Signature',
    '`sha256=` and the hex HMAC-SHA256 of the body. The key is the whole secret as text.',
  ),
  XWebhookEvent: text('X-Webhook-Event', 'Type of the event.'),
  XWebhookDelivery: text('X-Webhook-Delivery', 'Id of the delivery, the same in all its attempts.'),
  XWebhookAttempt: text('X-Webhook-Attempt', 'Number of the attempt, from 1.'),
}

/** How the service reads the responses of a receiver. */
export const receivedEventResponses = {
  EventDelivered: { description: 'Delivered, when the response arrives within 5 seconds.' },
  EventRefused: { description: 'The webhook is deactivated.' },
  EventFailed: { description: 'A failure, which is retried.' },
}

const parameters = Object.keys(receivedEventParameters).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))
const response = (name: keyof typeof receivedEventResponses) => ({ $ref: `#/components/responses/${name}` })

/**
 * A tag of their own. Generators write one file for each tag: under the tag of the operations of webhooks, the file of the
 * events replaced the file of the operations.
 */
export const receivedEventsTag = {
  name: 'receivedEvents',
  description:
    'Events as your receiver gets them: requests that the service sends. The first attempt follows the change. A failure is repeated `retryPolicy.maxRetries` times: the default of 3 retries ends after 14 seconds, 10 retries end after 34 minutes.',
}

/** One entry for each event that the service sends to the webhooks of a tenant. */
export function describeWebhooks(): Record<string, Record<string, object>> {
  return Object.fromEntries(
    eventSchemas.map(({ type, summary, body }) => [
      type,
      {
        post: {
          operationId: `webhook_${type.replaceAll('.', '_')}`,
          tags: [receivedEventsTag.name],
          summary,
          security: [],
          parameters,
          requestBody: { required: true, content: { 'application/json': { schema: body } } },
          responses: {
            '2XX': response('EventDelivered'),
            '410': response('EventRefused'),
            default: response('EventFailed'),
          },
        },
      },
    ]),
  )
}

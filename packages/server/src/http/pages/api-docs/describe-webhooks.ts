import { eventSchemas } from '@crmkit/core'

const text = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const headers = [
  text(
    'webhook-signature',
    'Signatures of Standard Webhooks, separated by a space: `v1,` and the base64 HMAC-SHA256 of `webhook-id`.`webhook-timestamp`.body. The key is the base64 after `whsec_`, decoded.',
  ),
  text('webhook-id', 'Id of the event, the same in all attempts and redeliveries.'),
  text('webhook-timestamp', 'Time of the attempt, Unix seconds. Refuse more than 300 seconds of difference.'),
  text(
    'X-Webhook-Signature',
    '`sha256=` and the hex HMAC-SHA256 of the body. The key is the whole secret as text.',
  ),
  text('X-Webhook-Event', 'Type of the event.'),
  text('X-Webhook-Delivery', 'Id of the delivery, the same in all its attempts.'),
  text('X-Webhook-Attempt', 'Number of the attempt, from 1.'),
]

/**
 * A tag of their own. Generators write one file for each tag: under the tag of the operations of webhooks, the file of the
 * events replaced the file of the operations.
 */
export const receivedEventsTag = {
  name: 'receivedEvents',
  description: 'Events as your receiver gets them: requests that the service sends.',
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
          description:
            'The first attempt follows the change. A failure is repeated `retryPolicy.maxRetries` times: the default of 3 retries ends after 14 seconds, 10 retries end after 34 minutes.',
          security: [],
          parameters: headers,
          requestBody: { required: true, content: { 'application/json': { schema: body } } },
          responses: {
            '2XX': { description: 'Delivered, when the response arrives within 5 seconds.' },
            '410': { description: 'The webhook is deactivated.' },
            default: { description: 'A failure, which is retried.' },
          },
        },
      },
    ]),
  )
}

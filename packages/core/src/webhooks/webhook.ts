import { z } from 'zod'
import { eventTypes } from '../events/event-types.ts'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { referenceTo } from '../shared/reference.ts'
import { secretOverlapSeconds } from '../shared/secret-rotation.ts'
import { moment, optionalTimestamp, requiredText } from '../shared/text.ts'
import {
  backoffStrategies,
  deliveryErrorCodes,
  deliveryStatuses,
  disabledReasons,
  webhookStates,
} from './webhook-values.ts'

export const webhooksPerTenantMax = 50

const fieldText = {
  name: 'Name of the webhook.',
  url: 'HTTPS address of the receiver.',
  events: 'Event types to deliver.',
  isActive: 'Whether events are delivered.',
  headers: 'Additional headers of every delivery. At most 20, together 4 KB.',
  maskedHeaders: 'Additional headers of every delivery. Each value is shown as `••••`.',
  retryPolicy: 'Retries of a failed delivery.',
  maxRetries:
    'Retries after the first attempt. With `exponential` delays, 3 end 14 s after the first attempt and 10 after 34 minutes.',
  backoffStrategy: 'Delays between attempts: `linear` 5, 10, 15 … s; `exponential` 2, 4, 8 … s.',
}

const retryPolicy = z.object({
  maxRetries: z.int().min(0).max(10).describe(fieldText.maxRetries),
  backoffStrategy: z.enum(backoffStrategies).describe(fieldText.backoffStrategy),
})
export type RetryPolicy = z.infer<typeof retryPolicy>
export const defaultRetryPolicy: RetryPolicy = { maxRetries: 3, backoffStrategy: 'exponential' }

const headers = z.record(z.string(), z.string())

const webhookHealth = z.object({
  state: z
    .enum(webhookStates)
    .describe('`failing`: the latest attempt failed. `disabled`: no deliveries are made.'),
  consecutiveFailures: z.int().describe('Failed attempts since the last success.'),
  lastSuccessAt: optionalTimestamp.describe('Time of the last successful attempt.'),
  lastFailureAt: optionalTimestamp.describe('Time of the last failed attempt.'),
  disabledReason: z
    .enum(disabledReasons)
    .nullable()
    .describe(
      'Reason why the webhook is inactive; null while it is active. `gone`: the receiver sent 410. ' +
        '`failing`: no success for 7 days. `manual`: a caller deactivated it. `permission`: the API key or ' +
        'user that made it may not read its events any more.',
    ),
})
export type WebhookHealth = z.infer<typeof webhookHealth>

export const webhook = z
  .object({
    _id: ownId('webhook'),
    tenantId,
    name: z.string().describe(fieldText.name),
    url: z.string().describe(fieldText.url),
    events: z.array(z.enum(eventTypes)).describe(fieldText.events),
    isActive: z.boolean().describe(fieldText.isActive),
    headers: headers.describe(fieldText.maskedHeaders),
    retryPolicy: retryPolicy.describe(fieldText.retryPolicy),
    health: webhookHealth.describe('Success and failure of the latest attempts.'),
    previousSecretExpiresAt: optionalTimestamp.describe(
      'End of the validity of the previous secret during a rotation; else null.',
    ),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Webhook', description: 'A subscription of a receiver to event types.' })
export type Webhook = z.infer<typeof webhook>
/** The settings of a webhook, without its health and the state of its secrets. */
export type WebhookSettings = Omit<Webhook, 'health' | 'previousSecretExpiresAt'>

export const createdWebhook = z
  .object({
    ...webhook.shape,
    secret: z.string().describe('Signing secret. It is shown only in this response.'),
  })
  .meta({ id: 'CreatedWebhook', description: 'A webhook with a new signing secret.' })

export const deliveryLog = z
  .object({
    _id: ownId('log row'),
    webhookId: z.string().describe('Id of the webhook.'),
    event: z.string().describe('Event type.'),
    status: z
      .enum(deliveryStatuses)
      .describe('Result of the attempt; `pending` for the next planned attempt.'),
    statusCode: z.int().nullable().describe('HTTP status of the receiver; null without a response.'),
    attempt: z.int().describe('Number of the attempt, from 1.'),
    deliveredAt: optionalTimestamp.describe('End of the attempt; null while it is pending.'),
    responseTime: z.number().nullable().describe('Duration of the attempt in milliseconds.'),
    error: z.string().nullable().describe('Error for people; null after a success.'),
    errorCode: z.enum(deliveryErrorCodes).nullable().describe('Error for programs; null after a success.'),
    eventId: z.string().describe('Id of the event, the same in all attempts and redeliveries.'),
    deliveryId: z.string().describe('Id of the delivery, the same in all its attempts.'),
    nextAttemptAt: optionalTimestamp.describe(
      'On a failed row the time of the next attempt, on a pending row that of this attempt; else null, also while the webhook is inactive.',
    ),
    timings: z
      .object({
        dns: z.number().nullable().describe('Name resolved.'),
        connect: z.number().nullable().describe('Connection established.'),
        tls: z.number().nullable().describe('TLS handshake completed.'),
        firstByte: z.number().nullable().describe('First byte of the response received.'),
        total: z.number().describe('Attempt ended.'),
      })
      .nullable()
      .describe('Milliseconds from the start of the attempt to each phase; null for a phase not reached.'),
    remoteAddress: z.string().nullable().describe('IP address of the receiver.'),
    createdAt,
  })
  .meta({ id: 'DeliveryLog', description: 'One attempt to deliver an event to a webhook.' })
export type DeliveryLog = z.infer<typeof deliveryLog>

const deliveryRequest = z.object({
  method: z.literal('POST').describe('HTTP method.'),
  url: z.string().describe(fieldText.url),
  headers: headers.describe('Headers of the request.'),
})

export const testedDelivery = z
  .object({
    ...deliveryLog.shape,
    request: deliveryRequest.describe('The request as it was sent.'),
  })
  .meta({ id: 'TestedDelivery', description: 'A test attempt with its request.' })

export const loggedDelivery = z
  .object({
    ...deliveryLog.shape,
    request: deliveryRequest
      .nullable()
      .describe(
        "The request with the webhook's present `url` and `headers`. The values of its own headers, the signatures and the time of sending are shown as `••••`. Null while the attempt is pending.",
      ),
    body: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The stored body of the event; `{ "erased": true }` after an erasure. Null for a caller who may not read the event, for a test, and when the event is no longer stored.',
      ),
  })
  .meta({ id: 'LoggedDelivery', description: 'One attempt with its request.' })
export type LoggedDelivery = z.infer<typeof loggedDelivery>

export const rotateSecretBody = z
  .strictObject({ overlapSeconds: secretOverlapSeconds })
  .meta({ id: 'RotateWebhookSecret', description: 'How to rotate the signing secret.' })

export const recoveredEventsMax = 1000

export const recoverBody = z
  .strictObject({
    since: moment.describe(
      'Events from this time on, but none from before the webhook or the last change of its `events`.',
    ),
    until: moment.nullable().optional().describe('Events up to this time. Default: now.'),
    dryRun: z.boolean().nullable().optional().describe('Count the events and create no delivery.'),
    cursor: referenceTo('position', z.string().min(1).max(200))
      .nullable()
      .optional()
      .describe('`nextCursor` of the previous call.'),
  })
  .meta({ id: 'RecoverDeliveries', description: 'The time range to replay.' })

export const recovered = z
  .object({
    matched: z.int().describe('Events of this call whose delivery is missing or failed permanently.'),
    created: z.int().describe('Deliveries that were created for them; 0 with `dryRun`.'),
    nextCursor: z.string().nullable().describe('`cursor` of the next call; null at the end.'),
  })
  .meta({ id: 'RecoveredDeliveries', description: 'Result of one call.' })

const eventList = z
  .array(z.enum(eventTypes))
  .min(1)
  .max(100)
  .overwrite((list) => [...new Set(list)])
const url = z.string().trim().min(1).max(2048)
const partialRetryPolicy = z
  .strictObject({
    maxRetries: retryPolicy.shape.maxRetries
      .nullable()
      .optional()
      .describe(`${fieldText.maxRetries} Default: 3.`),
    backoffStrategy: retryPolicy.shape.backoffStrategy
      .nullable()
      .optional()
      .describe(`${fieldText.backoffStrategy} Default: exponential.`),
  })
  .nullable()
  .optional()
  .describe(fieldText.retryPolicy)

export const createWebhookBody = z
  .strictObject({
    name: requiredText(100).describe(fieldText.name),
    url: url.describe(fieldText.url),
    events: eventList.describe(fieldText.events),
    headers: headers.nullable().optional().describe(fieldText.headers),
    retryPolicy: partialRetryPolicy,
  })
  .meta({ id: 'CreateWebhook', description: 'A new webhook.' })
export type CreateWebhookBody = z.output<typeof createWebhookBody>

export const updateWebhookBody = z
  .strictObject({
    name: requiredText(100).optional().describe(fieldText.name),
    url: url.optional().describe(fieldText.url),
    events: eventList.optional().describe(fieldText.events),
    isActive: z.boolean().nullable().optional().describe(`${fieldText.isActive} Default: true.`),
    headers: headers
      .nullable()
      .optional()
      .describe(
        `${fieldText.headers} They replace all stored headers; the value \`••••\` keeps the stored value of its name. ` +
          'A change of the origin of `url` removes the stored headers.',
      ),
    retryPolicy: partialRetryPolicy,
  })
  .meta({ id: 'UpdateWebhook', description: 'Changes of a webhook. An absent field keeps its value.' })
export type UpdateWebhookBody = z.output<typeof updateWebhookBody>

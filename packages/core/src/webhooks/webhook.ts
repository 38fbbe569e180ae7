import { z } from 'zod'
import { eventTypes } from '../events/event-types.ts'
import { referenceTo } from '../shared/reference.ts'
import { secretOverlapSeconds } from '../shared/secret-rotation.ts'
import { moment, optionalTimestamp, requiredText, timestamp } from '../shared/text.ts'
import {
  backoffStrategies,
  deliveryErrorCodes,
  deliveryStatuses,
  disabledReasons,
  webhookStates,
} from './webhook-values.ts'

export const webhooksPerTenantMax = 50

const retryPolicy = z.object({
  maxRetries: z.int().min(0).max(10),
  backoffStrategy: z.enum(backoffStrategies),
})
export type RetryPolicy = z.infer<typeof retryPolicy>
export const defaultRetryPolicy: RetryPolicy = { maxRetries: 3, backoffStrategy: 'exponential' }

const headers = z.record(z.string(), z.string())

const webhookHealth = z.object({
  /** `failing`: the latest attempt failed. `disabled`: no deliveries are made. */
  state: z.enum(webhookStates),
  /** Failed attempts since the last success. */
  consecutiveFailures: z.int(),
  lastSuccessAt: optionalTimestamp,
  lastFailureAt: optionalTimestamp,
  /** Null while the webhook is active. */
  disabledReason: z.enum(disabledReasons).nullable(),
})
export type WebhookHealth = z.infer<typeof webhookHealth>

export const webhook = z
  .object({
    _id: z.string(),
    tenantId: z.string(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.enum(eventTypes)),
    isActive: z.boolean(),
    headers,
    retryPolicy,
    health: webhookHealth,
    /** During a rotation of the secret: until when the one before is valid too. */
    previousSecretExpiresAt: optionalTimestamp,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof webhook>
/** What managers set of a webhook. */
export type WebhookSettings = Omit<Webhook, 'health' | 'previousSecretExpiresAt'>

/** The webhook and, once, its signing secret. */
export const createdWebhook = z
  .object({ ...webhook.shape, secret: z.string() })
  .meta({ id: 'CreatedWebhook' })

export const deliveryLog = z
  .object({
    _id: z.string(),
    webhookId: z.string(),
    event: z.string(),
    status: z.enum(deliveryStatuses),
    statusCode: z.int().nullable(),
    /** From 1. The next planned attempt is the row with status `pending`. */
    attempt: z.int(),
    /** When the attempt ended. */
    deliveredAt: optionalTimestamp,
    /** Milliseconds. */
    responseTime: z.number().nullable(),
    error: z.string().nullable(),
    errorCode: z.enum(deliveryErrorCodes).nullable(),
    eventId: z.string(),
    deliveryId: z.string(),
    /** On a failed row: when the following attempt is planned; on a pending row: when this one is. */
    nextAttemptAt: optionalTimestamp,
    /** Milliseconds from the start of the attempt to each point; null for points not reached. */
    timings: z
      .object({
        dns: z.number().nullable(),
        connect: z.number().nullable(),
        tls: z.number().nullable(),
        firstByte: z.number().nullable(),
        total: z.number(),
      })
      .nullable(),
    remoteAddress: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'DeliveryLog' })
export type DeliveryLog = z.infer<typeof deliveryLog>

export const testedDelivery = z
  .object({
    ...deliveryLog.shape,
    request: z.object({ method: z.literal('POST'), url: z.string(), headers }),
  })
  .meta({ id: 'TestedDelivery' })

export const rotateSecretBody = z
  .strictObject({
    /** How long the secret before stays valid beside the new one; 0 ends it at once. */
    overlapSeconds: secretOverlapSeconds,
  })
  .meta({ id: 'RotateWebhookSecret' })

export const recoveredEventsMax = 1000

export const recoverBody = z
  .strictObject({
    /** Events from this moment on; never from before the webhook, or the last change of its `events`. */
    since: moment,
    /** Events up to this moment; without it, up to now. */
    until: moment.nullable().optional(),
    /** Counts and makes nothing. */
    dryRun: z.boolean().nullable().optional(),
    /** The `nextCursor` of the call before. */
    cursor: referenceTo('position', z.string().min(1).max(200)).nullable().optional(),
  })
  .meta({ id: 'RecoverDeliveries' })

export const recovered = z
  .object({
    /** Events of this page whose delivery is missing or failed for good. */
    matched: z.int(),
    /** Deliveries that were made for them; 0 with `dryRun`. */
    created: z.int(),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'RecoveredDeliveries' })

const eventList = z
  .array(z.enum(eventTypes))
  .min(1)
  .max(100)
  .overwrite((list) => [...new Set(list)])
const url = z.string().trim().min(1).max(2048)
const partialRetryPolicy = z
  .strictObject({
    maxRetries: retryPolicy.shape.maxRetries.nullable().optional(),
    backoffStrategy: retryPolicy.shape.backoffStrategy.nullable().optional(),
  })
  .nullable()
  .optional()

export const createWebhookBody = z
  .strictObject({
    name: requiredText(100),
    url,
    events: eventList,
    headers: headers.nullable().optional(),
    retryPolicy: partialRetryPolicy,
  })
  .meta({ id: 'CreateWebhook' })
export type CreateWebhookBody = z.output<typeof createWebhookBody>

export const updateWebhookBody = z
  .strictObject({
    name: requiredText(100).optional(),
    url: url.optional(),
    events: eventList.optional(),
    isActive: z.boolean().nullable().optional(),
    headers: headers.nullable().optional(),
    retryPolicy: partialRetryPolicy,
  })
  .meta({ id: 'UpdateWebhook' })
export type UpdateWebhookBody = z.output<typeof updateWebhookBody>

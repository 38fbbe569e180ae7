import { z } from 'zod'
import { eventTypes } from '../events/event-types.ts'
import { optionalTimestamp, requiredText, timestamp } from '../shared/text.ts'
import { backoffStrategies, deliveryErrorCodes, deliveryStatuses } from './webhook-values.ts'

export const webhooksPerTenantMax = 50

const retryPolicy = z.object({
  maxRetries: z.int().min(0).max(10),
  backoffStrategy: z.enum(backoffStrategies),
})
export type RetryPolicy = z.infer<typeof retryPolicy>
export const defaultRetryPolicy: RetryPolicy = { maxRetries: 3, backoffStrategy: 'exponential' }

const headers = z.record(z.string(), z.string())

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
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof webhook>

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

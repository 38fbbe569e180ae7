import { z } from 'zod'
import { permissions } from '../contract/permissions.ts'
import { parseDuration } from '../shared/duration.ts'
import { rule } from '../shared/rule.ts'
import { moment, optionalTimestamp, requiredText, timestamp } from '../shared/text.ts'

export const keyEnvironments = ['production', 'staging'] as const
export type KeyEnvironment = (typeof keyEnvironments)[number]

const windowSecondsMax = 31 * 86_400

const rotationPolicy = z.object({
  enabled: z.boolean(),
  intervalDays: z.int().min(1).max(365),
  notifyDaysBefore: z.int().min(0).max(90),
})
const rateLimit = z.object({ requests: z.int(), window: z.string() })

export const apiKey = z
  .object({
    _id: z.string(),
    tenantId: z.string(),
    name: z.string(),
    environment: z.enum(keyEnvironments),
    permissions: z.array(z.enum(permissions)),
    /** The first 8 characters, the same for all keys of a kind; `keyHint` tells keys apart. */
    keyPrefix: z.string(),
    keyHint: z.string(),
    isActive: z.boolean(),
    expiresAt: optionalTimestamp,
    rotationPolicy: z
      .object({
        enabled: z.boolean(),
        intervalDays: z.int().nullable(),
        notifyDaysBefore: z.int().nullable(),
      })
      .nullable(),
    rateLimit: rateLimit.nullable(),
    ipWhitelist: z.array(z.string()),
    createdBy: z.string(),
    lastUsedAt: optionalTimestamp,
    revokedAt: optionalTimestamp,
    /** The key that a rotation made in the place of this one. */
    replacedBy: z.string().nullable(),
    /** Null without an enabled `rotationPolicy`, which by itself disables no key. */
    rotationDueAt: optionalTimestamp,
    /** Due within `notifyDaysBefore` days. */
    rotationDueSoon: z.boolean(),
    rotationOverdue: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof apiKey>
/** What is kept of a key: what time alone decides is added when it is shown. */
export type StoredApiKey = Omit<ApiKey, 'rotationDueAt' | 'rotationDueSoon' | 'rotationOverdue'>

/** The record and, once, the key itself. */
export const createdApiKey = z.object({ ...apiKey.shape, key: z.string() }).meta({ id: 'CreatedApiKey' })

function isWindow(text: string): boolean {
  const seconds = parseDuration(text)
  return seconds !== undefined && seconds >= 1 && seconds <= windowSecondsMax
}
const windowForm = rule(
  'duration',
  'must be a duration from 1 second to 31 days, such as 30s, 5 minutes or hour',
)

// One address or a CIDR block; which addresses are valid is checked by the server, which has a parser for them.
const ipWhitelist = z.array(z.string().trim().min(2).max(64)).max(100)

const settings = {
  expiresAt: moment.nullable().optional(),
  rotationPolicy: z.strictObject(rotationPolicy.shape).nullable().optional(),
  rateLimit: z
    .strictObject({
      requests: z.int().min(1).max(1_000_000),
      window: z.string().trim().refine(isWindow, windowForm),
    })
    .nullable()
    .optional(),
  ipWhitelist: ipWhitelist.nullable().optional(),
}
const permissionList = z
  .array(z.enum(permissions))
  .min(1)
  .max(50)
  .overwrite((list) => [...new Set(list)])

export const createApiKeyBody = z
  .strictObject({
    name: requiredText(100),
    permissions: permissionList,
    environment: z.enum(keyEnvironments).nullable().optional(),
    ...settings,
  })
  .meta({ id: 'CreateApiKey' })
export type CreateApiKeyBody = z.output<typeof createApiKeyBody>

export const updateApiKeyBody = z
  .strictObject({
    name: requiredText(100).optional(),
    permissions: permissionList.optional(),
    // Not null: the default is active, and nobody means to bring a revoked key back by clearing a field.
    isActive: z.boolean().optional(),
    ...settings,
  })
  .meta({ id: 'UpdateApiKey' })
export type UpdateApiKeyBody = z.output<typeof updateApiKeyBody>

export const overlapSecondsDefault = 86_400
const overlapSecondsMax = 604_800

export const rotateApiKeyBody = z
  .strictObject({ overlapSeconds: z.int().min(0).max(overlapSecondsMax).nullable().optional() })
  .meta({ id: 'RotateApiKey' })

const counts = z.record(z.string(), z.int())

export const apiKeyUsage = z
  .object({
    /** `YYYY-MM`, UTC. */
    month: z.string(),
    totalRequests: z.int(),
    /** By path template, such as `/api/v1/customers/{id}`. */
    requestsByEndpoint: counts,
    requestsByMethod: counts,
  })
  .meta({ id: 'ApiKeyUsage' })

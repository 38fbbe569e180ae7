import { z } from 'zod'
import { permissions } from '../contract/permissions.ts'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { parseDuration } from '../shared/duration.ts'
import { rule } from '../shared/rule.ts'
import { moment, optionalText, optionalTimestamp, requiredText } from '../shared/text.ts'

export const keyEnvironments = ['production', 'staging'] as const
export type KeyEnvironment = (typeof keyEnvironments)[number]

const windowSecondsMax = 31 * 86_400

const rotationText = {
  enabled: 'Whether the key reports when its rotation is due.',
  intervalDays: 'Days from the creation of the key until its rotation is due.',
  notifyDaysBefore:
    'Days before the due date from which `rotationDueSoon` is true. Less than `intervalDays`.',
  policy: 'Reminder to rotate the key; null without one. It never disables the key.',
}
const limitText = {
  requests: 'Requests that the key may make in one window.',
  window: 'Length of the window, a duration such as `30s`, `5 minutes` or `hour`.',
  limit: 'Rate limit of the key itself; null when only the limit of the service applies.',
}
const environmentText = 'Environment of the key. It decides the prefix: `sk_live_` or `sk_test_`.'
const permissionsText = 'Permissions that the key grants.'
const nameText = 'Name that people recognise the key by.'
const displayNameText =
  'Name that customers read as the author of what is written with the key; null when they read none, and the team reads `name`.'
const expiresAtText = 'Time from which the key is refused as expired; null when it never expires.'
const ipWhitelistText = 'IP addresses and CIDR blocks that may use the key. Empty when every address may.'
const isActiveText = 'False for a revoked key, which is refused.'

export const apiKey = z
  .object({
    _id: ownId('API key'),
    tenantId,
    name: z.string().describe(nameText),
    displayName: z.string().nullable().describe(displayNameText),
    environment: z.enum(keyEnvironments).describe(environmentText),
    permissions: z.array(z.enum(permissions)).describe(permissionsText),
    keyPrefix: z.string().describe('First 8 characters of the key, the same for all keys of an environment.'),
    keyHint: z.string().describe('4 characters of the key that distinguish it from others in a list.'),
    isActive: z.boolean().describe(isActiveText),
    expiresAt: optionalTimestamp.describe(expiresAtText),
    rotationPolicy: z
      .object({
        enabled: z.boolean().describe(rotationText.enabled),
        intervalDays: z.int().nullable().describe(rotationText.intervalDays),
        notifyDaysBefore: z.int().nullable().describe(rotationText.notifyDaysBefore),
      })
      .nullable()
      .describe(rotationText.policy),
    rateLimit: z
      .object({
        requests: z.int().describe(limitText.requests),
        window: z.string().describe(limitText.window),
      })
      .nullable()
      .describe(limitText.limit),
    ipWhitelist: z.array(z.string()).describe(ipWhitelistText),
    createdBy: z.string().describe('Id of the user who created the key.'),
    lastUsedAt: optionalTimestamp.describe('Time of the last request with the key; null before the first.'),
    revokedAt: optionalTimestamp.describe('Time of the revocation; null for an active key.'),
    replacedBy: z.string().nullable().describe('Id of the key that a rotation created as its successor.'),
    rotationDueAt: optionalTimestamp.describe(
      'When the rotation is due; null without an enabled `rotationPolicy`.',
    ),
    rotationDueSoon: z.boolean().describe('Whether the rotation is due within `notifyDaysBefore` days.'),
    rotationOverdue: z.boolean().describe('Whether `rotationDueAt` has passed.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'ApiKey', description: 'An API key, without the key itself.' })
export type ApiKey = z.infer<typeof apiKey>
/** The stored part of a key. Fields that depend on the current time are added in each response. */
export type StoredApiKey = Omit<ApiKey, 'rotationDueAt' | 'rotationDueSoon' | 'rotationOverdue'>

export const createdApiKey = z
  .object({ ...apiKey.shape, key: z.string().describe('The key itself. It is shown only in this response.') })
  .meta({ id: 'CreatedApiKey', description: 'A new API key with the key itself.' })

function isWindow(text: string): boolean {
  const seconds = parseDuration(text)
  return seconds !== undefined && seconds >= 1 && seconds <= windowSecondsMax
}
const windowForm = rule(
  'duration',
  'must be a duration from 1 second to 31 days, such as 30s, 5 minutes or hour',
)

// Each item is an address or a CIDR block. The server checks their form, because only it has a parser for them.
const ipWhitelist = z.array(z.string().trim().min(2).max(64)).max(100)

const settings = {
  displayName: optionalText(100).describe(displayNameText),
  expiresAt: moment.nullable().optional().describe(expiresAtText),
  rotationPolicy: z
    .strictObject({
      enabled: z.boolean().describe(rotationText.enabled),
      intervalDays: z.int().min(1).max(365).describe(rotationText.intervalDays),
      notifyDaysBefore: z.int().min(0).max(90).describe(rotationText.notifyDaysBefore),
    })
    .nullable()
    .optional()
    .describe(rotationText.policy),
  rateLimit: z
    .strictObject({
      requests: z.int().min(1).max(1_000_000).describe(limitText.requests),
      window: z.string().trim().refine(isWindow, windowForm).describe(limitText.window),
    })
    .nullable()
    .optional()
    .describe(limitText.limit),
  ipWhitelist: ipWhitelist.nullable().optional().describe(ipWhitelistText),
}
const permissionList = z
  .array(z.enum(permissions))
  .min(1)
  .max(50)
  .overwrite((list) => [...new Set(list)])
  .describe(permissionsText)

export const createApiKeyBody = z
  .strictObject({
    name: requiredText(100).describe(nameText),
    permissions: permissionList,
    environment: z
      .enum(keyEnvironments)
      .nullable()
      .optional()
      .describe(`${environmentText} Default: production.`),
    ...settings,
  })
  .meta({ id: 'CreateApiKey', description: 'Settings of a new API key.' })
export type CreateApiKeyBody = z.output<typeof createApiKeyBody>

export const updateApiKeyBody = z
  .strictObject({
    name: requiredText(100).optional().describe(nameText),
    permissions: permissionList.optional().describe(permissionsText),
    // Not nullable: null would mean the default, which is active, and clearing a field must not activate a revoked key.
    isActive: z.boolean().optional().describe(`${isActiveText} True activates it again.`),
    ...settings,
  })
  .meta({ id: 'UpdateApiKey', description: 'Changes of an API key. An absent field keeps its value.' })
export type UpdateApiKeyBody = z.output<typeof updateApiKeyBody>

export const overlapSecondsDefault = 86_400
const overlapSecondsMax = 604_800

export const rotateApiKeyBody = z
  .strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(overlapSecondsMax)
      .nullable()
      .optional()
      .describe(`Seconds for which the old key still works. Default: ${overlapSecondsDefault}.`),
  })
  .meta({ id: 'RotateApiKey', description: 'How to rotate an API key.' })

const counts = z.record(z.string(), z.int())

export const apiKeyUsage = z
  .object({
    month: z.string().describe('Month in UTC, `YYYY-MM`.'),
    totalRequests: z.int().describe('Requests with the key in that month, refused ones included.'),
    requestsByEndpoint: counts.describe('Requests by path template, such as `/api/v1/customers/{id}`.'),
    requestsByMethod: counts.describe('Requests by HTTP method.'),
  })
  .meta({ id: 'ApiKeyUsage', description: 'Requests of an API key in one month.' })

import { z } from 'zod'
import { channels } from '../conversations/conversation-values.ts'
import { referenceTo } from '../shared/reference.ts'
import { rule } from '../shared/rule.ts'
import { secretOverlapSeconds } from '../shared/secret-rotation.ts'
import { optionalText, optionalTimestamp, requiredText, timestamp } from '../shared/text.ts'

export const inbox = z
  .object({
    _id: z.string(),
    tenantId: z.string(),
    name: z.string(),
    channel: z.enum(channels),
    isActive: z.boolean(),
    isDefault: z.boolean(),
    members: z.array(z.string()),
    autoAssign: z.object({
      enabled: z.boolean(),
      strategy: z.literal('round_robin'),
      maxOpen: z.int().nullable(),
    }),
    widget: z.object({
      enabled: z.boolean(),
      publicKey: z.string().nullable(),
      allowedOrigins: z.array(z.string()),
      greeting: z.string().nullable(),
      color: z.string().nullable(),
      identityRequired: z.boolean(),
      /** The first characters of the identity secret, to tell it from another; null before the first one. */
      identitySecretPrefix: z.string().nullable(),
      /** During a rotation of the identity secret: until when the one before is valid too. */
      previousIdentitySecretExpiresAt: optionalTimestamp,
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Inbox' })
export type Inbox = z.infer<typeof inbox>

/** The inbox and, once, the identity secret of its widget. */
export const inboxWithSecret = z
  .object({ ...inbox.shape, secret: z.string() })
  .meta({ id: 'InboxWithWidgetSecret' })

export const widgetSecretBody = z
  .strictObject({
    /** How long the secret before stays valid beside the new one; 0 ends it at once. */
    overlapSeconds: secretOverlapSeconds,
  })
  .meta({ id: 'MakeWidgetSecret' })

const membersMax = 200
const originsMax = 50

const origin = z
  .string()
  .trim()
  .max(253 + 'https://:65535'.length)
  .overwrite((text) => text.toLowerCase())
  .refine(isOrigin, rule('origin', 'must be an origin such as https://www.example.com'))

/** Scheme, host and port, and nothing else; plain http only on the developer's own machine. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.origin !== text) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost')
}

const writableFields = {
  channel: z.enum(channels).nullable().optional(),
  isActive: z.boolean().nullable().optional(),
  isDefault: z.boolean().nullable().optional(),
  members: z
    .array(referenceTo('user', z.string().min(1).max(128)))
    .max(membersMax)
    .overwrite((ids) => [...new Set(ids)])
    .nullable()
    .optional(),
  autoAssign: z
    .strictObject({
      enabled: z.boolean().nullable().optional(),
      strategy: z.literal('round_robin').nullable().optional(),
      maxOpen: z.int().min(1).max(10_000).nullable().optional(),
    })
    .nullable()
    .optional(),
  widget: z
    .strictObject({
      enabled: z.boolean().nullable().optional(),
      allowedOrigins: z.array(origin).max(originsMax).nullable().optional(),
      greeting: optionalText(500),
      color: z
        .string()
        .trim()
        .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #3457d5')
        .nullable()
        .optional(),
      identityRequired: z.boolean().nullable().optional(),
    })
    .nullable()
    .optional(),
}

export const createInboxBody = z
  .strictObject({ name: requiredText(100), ...writableFields })
  .meta({ id: 'CreateInbox' })
export type CreateInboxBody = z.output<typeof createInboxBody>

export const updateInboxBody = z
  .strictObject({ name: requiredText(100).optional(), ...writableFields })
  .meta({ id: 'UpdateInbox' })
export type UpdateInboxBody = z.output<typeof updateInboxBody>

/** The inbox that every tenant has from the start. */
export function newDefaultInbox({ id, tenantId, now }: { id: string; tenantId: string; now: string }): Inbox {
  return {
    _id: id,
    tenantId,
    name: 'Inbox',
    channel: 'email',
    isActive: true,
    isDefault: true,
    members: [],
    autoAssign: { enabled: false, strategy: 'round_robin', maxOpen: null },
    widget: {
      enabled: false,
      publicKey: null,
      allowedOrigins: [],
      greeting: null,
      color: null,
      identityRequired: false,
      identitySecretPrefix: null,
      previousIdentitySecretExpiresAt: null,
    },
    createdAt: now,
    updatedAt: now,
  }
}

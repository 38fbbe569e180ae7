import { z } from 'zod'
import { channels } from '../conversations/conversation-values.ts'
import { timestamp } from '../shared/text.ts'

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
      identitySecretPrefix: z.string().nullable(),
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Inbox' })
export type Inbox = z.infer<typeof inbox>

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
    },
    createdAt: now,
    updatedAt: now,
  }
}

import { z } from 'zod'
import { attachment, attachmentsPerMessageMax } from '../attachments/attachment.ts'
import { referenceTo } from '../shared/reference.ts'
import { requiredLines, requiredText, timestamp } from '../shared/text.ts'

export const messageTypes = ['reply', 'note', 'activity'] as const
export const messageDirections = ['inbound', 'outbound', 'internal'] as const
export const contentTypes = ['text', 'markdown', 'html'] as const
export const messageStatuses = ['queued', 'sent', 'delivered', 'read', 'failed'] as const
export type MessageStatus = (typeof messageStatuses)[number]
export const contentLengthMax = 65_536

export const message = z
  .object({
    _id: z.string(),
    tenantId: z.string(),
    conversationId: z.string(),
    type: z.enum(messageTypes),
    direction: z.enum(messageDirections),
    sender: z.object({
      type: z.enum(['user', 'customer', 'system', 'api']),
      _id: z.string().nullable(),
      name: z.string().nullable(),
    }),
    content: z.string(),
    contentType: z.enum(contentTypes),
    attachments: z.array(attachment),
    status: z.enum(messageStatuses),
    clientMessageId: z.string().nullable(),
    externalId: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Message' })
export type Message = z.infer<typeof message>

export const newMessageBody = z
  .strictObject({
    content: requiredLines(contentLengthMax),
    type: z.enum(['reply', 'note']).nullable().optional(),
    contentType: z.enum(contentTypes).nullable().optional(),
    direction: z.enum(['inbound', 'outbound']).nullable().optional(),
    /** Ids of uploaded files, each for one message only. */
    attachments: z.array(referenceTo('attachment')).max(attachmentsPerMessageMax).nullable().optional(),
    clientMessageId: requiredText(128).nullable().optional(),
  })
  .meta({ id: 'CreateMessage' })
export type NewMessageBody = z.output<typeof newMessageBody>

import { z } from 'zod'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { referenceTo } from '../shared/reference.ts'
import { secretOverlapSeconds } from '../shared/secret-rotation.ts'
import { optionalText, optionalTimestamp, requiredEmail, timestamp } from '../shared/text.ts'
import { inboundMailReasons, inboundMailStatuses, mailDoors } from './mail-values.ts'

export const inboundMail = z
  .object({
    _id: ownId('mail'),
    tenantId,
    inboxId: z.string().describe('Id of the inbox that received the mail.'),
    door: z.enum(mailDoors).describe('Way on which the mail arrived.'),
    status: z
      .enum(inboundMailStatuses)
      .describe(
        '`received` waits, `processed` became a message, `parked` needs a person, `ignored` needs none.',
      ),
    reason: z.enum(inboundMailReasons).nullable().describe('Why the mail is parked or ignored; else null.'),
    envelope: z
      .object({
        from: z
          .string()
          .nullable()
          .describe('Sender of the envelope; null when it is unknown, empty when no reply is wanted.'),
        to: z.array(z.string()).describe('Recipients of the envelope.'),
      })
      .describe('Envelope of the mail, as the mail server reports it.'),
    from: z.string().nullable().describe('Address in the From header; null where it names none.'),
    subject: z.string().nullable().describe('Subject; null before the mail is read.'),
    rfcMessageId: z.string().nullable().describe('Message-ID without angle brackets; null without one.'),
    sizeBytes: z.int().describe('Size of the mail as it arrived.'),
    conversationId: z.string().nullable().describe('Id of the conversation that the mail belongs to.'),
    messageId: z.string().nullable().describe('Id of the message that the mail became.'),
    duplicateOf: z
      .string()
      .nullable()
      .describe(
        'Id of the earlier mail with the same Message-ID, From and Date and another body; null without one.',
      ),
    error: z
      .string()
      .nullable()
      .describe('The problem that parked the mail, in one sentence; null without any.'),
    receivedAt: timestamp.describe('Time at which the mail was stored.'),
    processedAt: optionalTimestamp.describe('Time of the decision about the mail.'),
    rawDeletedAt: optionalTimestamp.describe(
      'Time at which the bytes were deleted; null while they are stored.',
    ),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'InboundMail', description: 'A mail that arrived.' })
export type InboundMail = z.infer<typeof inboundMail>

/** None of them names a person. */
const mailEventFields = {
  _id: true,
  inboxId: true,
  door: true,
  status: true,
  reason: true,
  receivedAt: true,
} as const

export const parkedMail = inboundMail.pick(mailEventFields).meta({
  id: 'MailEventData',
  description: 'A mail that needs a person, without its subject and addresses.',
})
export type ParkedMail = z.infer<typeof parkedMail>

export const makeConversationBody = z
  .strictObject({
    conversationId: referenceTo('conversation', z.string().min(1).max(128))
      .optional()
      .describe('Adds the mail to this conversation.'),
    customerId: referenceTo('customer', z.string().min(1).max(128))
      .optional()
      .describe('Customer of the new conversation. Default: whoever has the address of the sender.'),
    sender: z
      .strictObject({
        address: requiredEmail.describe('Address of the sender.'),
        name: optionalText(200).describe('Name of the sender.'),
      })
      .optional()
      .describe('Sender of the mail. Default: the one that it names.'),
  })
  .meta({ id: 'MakeConversation', description: 'The place of a mail, and its sender.' })

export const inboundTokenBody = z
  .strictObject({ overlapSeconds: secretOverlapSeconds })
  .meta({ id: 'MakeInboundToken', description: 'How to replace the token of the inbound address.' })

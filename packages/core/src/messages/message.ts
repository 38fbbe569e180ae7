import { z } from 'zod'
import { attachment, attachmentsPerMessageMax } from '../attachments/attachment.ts'
import { draftAuthor } from '../drafts/draft-author.ts'
import { replyDoors } from '../drafts/draft-basis.ts'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { referenceTo } from '../shared/reference.ts'
import { linesOrNone, optionalText, optionalTimestamp, requiredEmail, requiredText } from '../shared/text.ts'
import { madeChoice, messageChoice, offeredChoices } from './message-choices.ts'
import { messageEmail, messageRecipient } from './message-email.ts'

export const messageTypes = ['reply', 'note', 'activity'] as const
export const messageDirections = ['inbound', 'outbound', 'internal'] as const
export const contentTypes = ['text', 'markdown', 'html'] as const
export const messageStatuses = ['queued', 'sent', 'delivered', 'read', 'failed'] as const
export type MessageStatus = (typeof messageStatuses)[number]
export const contentLengthMax = 65_536

const fieldText = {
  type: 'Kind: `reply` to the customer, `note` for the team, `activity` by the service.',
  direction: '`inbound` from the customer, `outbound` to the customer, `internal` for the team.',
  content: 'Text of the message; empty for files alone.',
  contentType: 'Markup of `content`.',
  clientMessageId:
    'Id that the client chose. A second message with it in the same conversation is not created.',
}

export const message = z
  .object({
    _id: ownId('message'),
    tenantId,
    conversationId: z.string().describe('Id of the conversation.'),
    type: z.enum(messageTypes).describe(fieldText.type),
    direction: z.enum(messageDirections).describe(fieldText.direction),
    sender: z
      .object({
        type: z.enum(['user', 'customer', 'system', 'api']).describe('Kind of the sender; `api` is a key.'),
        _id: z.string().nullable().describe('Id of the user, customer or key; null when unknown.'),
        name: z.string().nullable().describe('Name of the sender at the time of the message.'),
      })
      .describe('Sender of the message.'),
    content: z.string().describe(fieldText.content),
    contentType: z.enum(contentTypes).describe(fieldText.contentType),
    attachments: z.array(attachment).describe('Files of the message.'),
    status: z.enum(messageStatuses).describe('Progress of the transmission.'),
    clientMessageId: z.string().nullable().describe(fieldText.clientMessageId),
    externalId: z.string().nullable().describe('Id of the message in another system.'),
    email: messageEmail.nullable().describe('The e-mail; null for a message of another channel.'),
    recipients: z
      .array(messageRecipient)
      .describe('Recipients of an outbound e-mail, each with its progress; empty for any other message.'),
    via: z
      .enum(replyDoors)
      .nullable()
      .default(null)
      .describe(
        'Door that took the reply when it was stored: `email`, `chat` (the widget), `webhook` (your system, on `message.sent`), or `none`: it is stored, and nobody sends it. It never changes. Null for any other message, an imported one, and one of an earlier version.',
      ),
    mentions: z
      .array(z.string())
      .default([])
      .describe(
        'Ids of the users of the team whom a note mentions, as `@[usr_…]` in its text; empty for any other message.',
      ),
    draftedBy: draftAuthor
      .nullable()
      .describe('Author of the draft, where somebody else has sent it; else null.'),
    choices: z
      .array(messageChoice)
      .default([])
      .describe('Replies that the message offers to the visitor; empty for most.'),
    choice: madeChoice
      .nullable()
      .default(null)
      .describe('The choice that the visitor has made by this message; null for any other message.'),
    sentAt: optionalTimestamp
      .default(null)
      .describe('Time at which a mail was sent, as it says, and never later than it arrived; else null.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Message', description: 'A message of a conversation.' })
export type Message = z.infer<typeof message>

export const recipientsMax = 50

const recipientList = (text: string) =>
  z.array(requiredEmail).max(recipientsMax).nullable().optional().describe(text)

export const newMessageBody = z
  .strictObject({
    content: linesOrNone(contentLengthMax).describe(
      'Text of the message. With `attachments` it may be left out or empty: files alone are a message.',
    ),
    type: z
      .enum(['reply', 'note'])
      .nullable()
      .optional()
      .describe('Kind: `reply` to the customer or `note` for the team. Default: reply.'),
    contentType: z
      .enum(contentTypes)
      .nullable()
      .optional()
      .describe(`${fieldText.contentType} Default: text.`),
    direction: z
      .enum(['inbound', 'outbound'])
      .nullable()
      .optional()
      .describe('`inbound` from the customer or `outbound` to the customer. Default: outbound.'),
    attachments: z
      .array(referenceTo('attachment'))
      .max(attachmentsPerMessageMax)
      .nullable()
      .optional()
      .describe('Ids of uploaded files. A file belongs to one message only.'),
    choices: offeredChoices,
    to: recipientList(
      'Recipients of the e-mail. Default: the customer, or who of the conversation wrote last.',
    ),
    cc: recipientList('Recipients of a copy. Default: everyone of the last mail.'),
    bcc: recipientList('Hidden recipients of a copy.'),
    subject: optionalText(500).describe('Subject of the e-mail. Default: that of the conversation.'),
    clientMessageId: requiredText(128).nullable().optional().describe(fieldText.clientMessageId),
  })
  .meta({ id: 'CreateMessage', description: 'A new message.' })
export type NewMessageBody = z.output<typeof newMessageBody>

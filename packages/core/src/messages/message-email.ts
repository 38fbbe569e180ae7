import { z } from 'zod'
import { optionalTimestamp } from '../shared/text.ts'

export const recipientKinds = ['to', 'cc', 'bcc'] as const
export const recipientStatuses = ['queued', 'sent', 'failed', 'suppressed'] as const

const mailbox = z.object({
  address: z.string().describe('E-mail address.'),
  name: z.string().nullable().describe('Name beside the address.'),
})
export type Mailbox = z.infer<typeof mailbox>

export const messageEmail = z
  .object({
    from: mailbox.nullable().describe('Sender in the header; null when a mail names none.'),
    replyTo: z.string().nullable().describe('Address for replies, where it differs from the sender.'),
    to: z.array(mailbox).describe('Recipients.'),
    cc: z.array(mailbox).describe('Recipients of a copy.'),
    bcc: z.array(mailbox).describe('Hidden recipients; only of outbound mail.'),
    subject: z.string().nullable().describe('Subject of the mail.'),
    messageId: z.string().nullable().describe('Message-ID of the mail, without angle brackets.'),
    inReplyTo: z.string().nullable().describe('Message-ID of the mail that this one answers.'),
    date: optionalTimestamp.describe('Time in the header of the mail.'),
    verified: z
      .boolean()
      .nullable()
      .describe('Whether the sender is authentic; null when no believed server says so.'),
    automated: z.boolean().describe('Whether a machine wrote the mail.'),
    noAutoReply: z.boolean().describe('Whether the mail asks for no automatic reply.'),
    possiblyDoubled: z.boolean().describe('Whether recipients may have received the mail twice.'),
    quotedFrom: z
      .int()
      .nullable()
      .describe('Offset in `content`, in UTF-16 units, at which quoted text begins; null without any.'),
    truncated: z.boolean().describe('Whether `content` is shorter than the mail.'),
  })
  .meta({ id: 'MessageEmail', description: 'The e-mail of a message.' })
export type MessageEmail = z.infer<typeof messageEmail>

export const messageRecipient = z
  .object({
    address: z.string().describe('E-mail address.'),
    kind: z.enum(recipientKinds).describe('Header that names the recipient.'),
    status: z.enum(recipientStatuses).describe('Progress of the mail to this recipient.'),
    code: z.int().nullable().describe('Last SMTP code about this recipient.'),
    text: z.string().nullable().describe('Last sentence of the server about this recipient.'),
  })
  .meta({ id: 'MessageRecipient', description: 'A recipient of an outbound e-mail.' })
export type MessageRecipient = z.infer<typeof messageRecipient>

import { z } from 'zod'
import { optionalTimestamp, timestamp } from '../shared/text.ts'

export const recipientKinds = ['to', 'cc', 'bcc'] as const
export const recipientStatuses = ['queued', 'sent', 'delivered', 'failed', 'suppressed'] as const

export const mailbox = z.object({
  address: z.string().describe('E-mail address.'),
  name: z.string().nullable().describe('Name beside the address.'),
})
export type Mailbox = z.infer<typeof mailbox>

export const quotation = z
  .object({
    from: z.int().describe('Offset in `content`, in UTF-16 units, at which the quotation begins.'),
    to: z.int().describe('Offset behind it. HTML is quoted in whole elements and texts.'),
    messageId: z.string().nullable().describe('Message that is repeated; null: not known.'),
  })
  .meta({ id: 'Quotation', description: 'A part of a mail that repeats a message of its conversation.' })
export type Quotation = z.infer<typeof quotation>

const forwardedFrom = mailbox.extend({
  date: optionalTimestamp.describe('Time of the forwarded mail; null where it cannot be read.'),
})

export const messageEmail = z
  .object({
    from: mailbox.nullable().describe('Sender in the header; null when a mail names none.'),
    replyTo: z.string().nullable().describe('Address for replies, where it differs from the sender.'),
    replyToList: z
      .array(mailbox)
      .describe('All addresses for replies; empty where the sender is the only one.'),
    forwardedFrom: forwardedFrom
      .nullable()
      .describe('Sender of the mail that a member of the team forwarded; null for any other mail.'),
    to: z.array(mailbox).describe('Recipients.'),
    cc: z.array(mailbox).describe('Recipients of a copy.'),
    bcc: z.array(mailbox).describe('Hidden recipients; only of outbound mail.'),
    subject: z.string().nullable().describe('Subject of the mail.'),
    messageId: z.string().nullable().describe('Message-ID of the mail, without angle brackets.'),
    inReplyTo: z.string().nullable().describe('Message-ID of the mail that this one is a reply to.'),
    date: optionalTimestamp.describe('Time in the header of the mail.'),
    verified: z
      .boolean()
      .nullable()
      .describe('Whether the sender is authentic; null when no believed server says so.'),
    automated: z.boolean().describe('Whether a machine wrote the mail.'),
    noAutoReply: z.boolean().describe('Whether the mail asks for no automatic reply.'),
    possiblyDoubled: z.boolean().describe('Whether recipients may have received the mail twice.'),
    quoted: z
      .array(quotation)
      .describe('Parts of `content` that repeat messages of the conversation, in their order.'),
    quotedFrom: z
      .int()
      .nullable()
      .describe('Offset in `content` at which the quoted end begins; null where own words follow.'),
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
    bouncedAt: optionalTimestamp
      .default(null)
      .describe('Time of the report that the mail came back; null: none came.'),
    complainedAt: optionalTimestamp
      .default(null)
      .describe('Time at which the recipient called the mail spam; null: never.'),
  })
  .meta({ id: 'MessageRecipient', description: 'A recipient of an outbound e-mail.' })
export type MessageRecipient = z.infer<typeof messageRecipient>

export const mailOutcomes = [
  'sent',
  'deferred',
  'failed',
  'unknown',
  'unreachable',
  'refused_sign_in',
] as const

export const mailAttempt = z
  .object({
    attempt: z.int().describe('Number of the attempt, from 1.'),
    at: timestamp.describe('Time at which the attempt ended.'),
    outcome: z
      .enum(mailOutcomes)
      .describe(
        '`deferred` and `failed` say what the server said; `unreachable`: it said nothing about this mail; `refused_sign_in`: it refused the user or the password; `unknown`: the connection ended before it answered, so the mail is sent again.',
      ),
    code: z.int().nullable().describe('SMTP code; null when the server sent none.'),
    response: z.string().describe('Sentence of the server, or about the connection.'),
    recipients: z.array(z.string()).describe('Addresses of the attempt.'),
    host: z.string().describe('Server of the attempt.'),
    durationMs: z.int().describe('Duration in milliseconds.'),
  })
  .meta({ id: 'MailAttempt', description: 'One attempt to send a message by e-mail.' })
export type MailAttempt = z.infer<typeof mailAttempt>

/** No e-mail facts yet: what every mail of ours begins with. */
export const emptyMessageEmail: MessageEmail = {
  from: null,
  replyTo: null,
  replyToList: [],
  forwardedFrom: null,
  to: [],
  cc: [],
  bcc: [],
  subject: null,
  messageId: null,
  inReplyTo: null,
  date: null,
  verified: null,
  automated: false,
  noAutoReply: false,
  possiblyDoubled: false,
  quoted: [],
  quotedFrom: null,
  truncated: false,
}

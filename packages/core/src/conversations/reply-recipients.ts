import { z } from 'zod'
import { mailbox } from '../messages/message-email.ts'

export const replyRecipients = z
  .object({
    sendsMail: z.boolean().describe('Whether a reply leaves as an e-mail, by the channel and the inbox.'),
    to: z
      .array(mailbox)
      .describe('Recipients; empty where nobody of the conversation has an address, and without e-mail.'),
    cc: z.array(mailbox).describe('Recipients of a copy.'),
  })
  .meta({ id: 'ReplyRecipients', description: 'The people who get a reply that names no recipients.' })
export type ReplyRecipients = z.infer<typeof replyRecipients>

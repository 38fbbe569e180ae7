import { z } from 'zod'
import { replyDoor } from '../drafts/draft-basis.ts'
import { mailbox, recipientKinds } from '../messages/message-email.ts'
import { optionalTimestamp } from '../shared/text.ts'

const shownAddress = z
  .string()
  .nullable()
  .describe('E-mail address; null, like the name, to a key without read:customers.')

export const suggestedRecipient = z
  .object({
    address: shownAddress,
    name: z.string().nullable().describe('Name that stood beside this very address in a mail.'),
    verified: z
      .boolean()
      .nullable()
      .describe(
        'Whether the newest mail from this address is authentic; null when no believed server says so, or it never wrote.',
      ),
    isCustomers: z.boolean().describe('Whether the customer of the conversation has this address.'),
  })
  .meta({ id: 'SuggestedRecipient', description: 'A recipient of a reply that names none.' })
/** As the service works it out, before it hides anything. */
export type SuggestedRecipient = z.infer<typeof suggestedRecipient> & { address: string }

export const offeredRecipient = z
  .object({
    address: shownAddress,
    name: z.string().nullable().describe('Name that stood beside this very address in a mail.'),
    kind: z.enum(recipientKinds).extract(['to', 'cc']).describe('List that the address was meant for.'),
    reason: z
      .enum(['reply_to', 'copy', 'unverified_sender'])
      .describe(
        'Why it gets nothing by itself: an unverified mail names it in Reply-To or as a recipient, or it is the sender of one.',
      ),
  })
  .meta({ id: 'OfferedRecipient', description: 'An address that an agent may add to a reply.' })
/** As the service works it out, before it hides anything. */
export type OfferedRecipient = z.infer<typeof offeredRecipient> & { address: string }

export const replyRecipients = z
  .object({
    sendsMail: z.boolean().describe('Whether a reply leaves as an e-mail, by the channel and the inbox.'),
    door: replyDoor,
    from: mailbox.nullable().describe('Sender of the e-mail; null where the reply is none.'),
    visitorSeenAt: optionalTimestamp.describe(
      'When the visitor of the chat widget was last there, to the minute; null: not known, or the conversation is no chat.',
    ),
    to: z
      .array(suggestedRecipient)
      .describe('Recipients; empty where nobody of the conversation has an address, and without e-mail.'),
    cc: z.array(suggestedRecipient).describe('Recipients of a copy.'),
    offered: z.array(offeredRecipient).describe('Addresses of unverified mail, for an agent to add.'),
  })
  .meta({
    id: 'ReplyRecipients',
    description: 'How a reply leaves, and the people who get it when it names no recipients.',
  })
export type ReplyRecipients = z.infer<typeof replyRecipients>

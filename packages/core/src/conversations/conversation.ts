import { z } from 'zod'
import { customer, customerName } from '../customers/customer.ts'
import { newMessageBody } from '../messages/message.ts'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { storedCustomFields } from '../shared/custom-fields.ts'
import { labelList } from '../shared/labels.ts'
import { referenceTo } from '../shared/reference.ts'
import { rule } from '../shared/rule.ts'
import { moment, optionalTimestamp, requiredText, timestamp } from '../shared/text.ts'
import { userSummary } from '../users/user.ts'
import { channels, conversationSources, conversationStatuses, priorities } from './conversation-values.ts'

const fieldText = {
  subject: 'Subject line.',
  status: 'State. `snoozed` becomes `open` at `snoozedUntil`.',
  priority: 'Priority.',
  channel: 'Channel that the conversation takes place on.',
  customerId: 'Id of the customer; null when there is none.',
  assignedTo: 'Id of the user who is assigned; null when nobody is.',
  inboxId: 'Id of the inbox that the conversation belongs to.',
  labels: 'Labels, unique without regard to case. At most 50.',
  snoozedUntil: 'Time at which a snoozed conversation opens; null until the next inbound message.',
  wakeOnReply: 'Whether an inbound message opens a snoozed conversation.',
}

export const mailParticipant = z
  .object({
    address: z.string().describe('E-mail address.'),
    name: z.string().nullable().describe('Name beside the address; null without one.'),
    addedAt: timestamp.describe('Time of the first mail of this sender in the conversation.'),
    verified: z
      .boolean()
      .nullable()
      .describe('Whether that mail was authentic; null when no trusted server says so.'),
  })
  .meta({ id: 'MailParticipant', description: 'A sender who takes part in a conversation by e-mail.' })
export type MailParticipant = z.infer<typeof mailParticipant>

export const lastMessage = z
  .object({
    _id: z.string().describe('Id of the message.'),
    type: z.literal('reply').describe('Kind: notes and activities are no last message.'),
    direction: z
      .enum(['inbound', 'outbound'])
      .describe('`inbound` from the customer, `outbound` to the customer.'),
    senderType: z.enum(['user', 'customer', 'system', 'api']).describe('Kind of the sender; `api` is a key.'),
    at: timestamp.describe('Time of the message.'),
    preview: z
      .string()
      .nullable()
      .describe(
        'The beginning as one line of plain text, of at most 140 characters and without what it quotes; null where there is no text.',
      ),
    files: z.int().describe('Number of files.'),
  })
  .meta({ id: 'LastMessage', description: 'The newest reply or inbound message of a conversation.' })
export type LastMessage = z.infer<typeof lastMessage>

const fields = {
  _id: ownId('conversation'),
  tenantId,
  subject: z.string().describe(fieldText.subject),
  status: z.enum(conversationStatuses).describe(fieldText.status),
  priority: z.enum(priorities).describe(fieldText.priority),
  channel: z.enum(channels).describe(fieldText.channel),
  source: z.enum(conversationSources).describe('Part of the service that created the conversation.'),
  customerId: z.string().nullable().describe(fieldText.customerId),
  assignedTo: z.string().nullable().describe(fieldText.assignedTo),
  inboxId: z.string().describe(fieldText.inboxId),
  labels: z.array(z.string()).describe(fieldText.labels),
  snoozedUntil: optionalTimestamp.describe(fieldText.snoozedUntil),
  wakeOnReply: z.boolean().describe(fieldText.wakeOnReply),
  lastMessageAt: optionalTimestamp.describe('Time of the last message; notes do not count.'),
  lastMessage: lastMessage
    .nullable()
    .default(null)
    .describe('The newest reply or inbound message; null without any.'),
  lastCustomerMessageAt: optionalTimestamp
    .default(null)
    .describe('Time of the last message of the customer; mail of machines does not count.'),
  waitingSince: optionalTimestamp
    .default(null)
    .describe(
      'Time of the first message of the customer that nobody has answered; null when nobody waits, and while it is closed.',
    ),
  messageCount: z.int().describe('Number of replies and inbound messages; notes do not count.'),
  seq: z
    .int()
    .default(0)
    .describe(
      'Rises by one with every reply, inbound message and note, and never falls. `If-Conversation-Seq` names it.',
    ),
  firstResponseAt: optionalTimestamp.describe(
    'Time of the first outbound message that is no automatic reply.',
  ),
  closedAt: optionalTimestamp.describe('Time at which the conversation was closed; null while it is not.'),
  readAt: z
    .object({
      customer: optionalTimestamp.describe('Time at which the customer last read it.'),
      agent: optionalTimestamp.describe('Time at which the team last read it.'),
    })
    .describe('Read receipts of both sides.'),
  rating: z
    .object({
      score: z.int().describe('Score.'),
      comment: z.string().nullable().describe('Comment.'),
      at: timestamp.describe('Time of the rating.'),
    })
    .nullable()
    .describe('Rating by the customer; null without one.'),
  externalIds: z.array(z.string()).describe('Ids of the conversation in other systems.'),
  page: z
    .string()
    .nullable()
    .default(null)
    .describe('Page on which the visitor of the chat widget began it; null for every other conversation.'),
  customFields: storedCustomFields.describe(
    'Fields of an imported deal or case without a field of their own here, such as its amount. Written by imports alone.',
  ),
  participants: z
    .array(mailParticipant)
    .default([])
    .describe('Senders who take part by e-mail besides the customer; at most 50.'),
  previousConversationId: z
    .string()
    .nullable()
    .default(null)
    .describe(
      'Id of the closed conversation that this one continues, because its mail came too late to open it; else null.',
    ),
  mergedInto: z
    .string()
    .nullable()
    .default(null)
    .describe('Id of the conversation that this one was merged into; null when it was not.'),
  mergedFrom: z
    .array(z.string())
    .default([])
    .describe('Ids of the conversations that were merged into this one, earliest first; at most 20.'),
  createdAt,
  updatedAt,
}

/** A conversation as it is stored, and as events report it. */
export const storedConversation = z.object(fields)
export type Conversation = z.infer<typeof storedConversation>

/** The unread messages of a conversation are counted no further. */
export const unreadMax = 100

export const unread = z
  .object({
    count: z
      .int()
      .min(0)
      .max(unreadMax)
      .describe('Messages and notes that the signed-in user has not read; 100 means 100 or more.'),
    firstMessageId: z
      .string()
      .nullable()
      .describe('Id of the oldest of these messages; null without any, and in lists.'),
  })
  .meta({ id: 'Unread', description: 'How far a user has read a conversation.' })
export type Unread = z.infer<typeof unread>

const unreadField = unread.nullable().describe('How far the signed-in user has read it; null to API keys.')

export const conversation = z
  .object({ ...fields, unread: unreadField })
  .meta({ id: 'Conversation', description: 'A conversation; `customerId` and `assignedTo` are ids.' })

export const populatedConversation = z
  .object({
    ...fields,
    unread: unreadField,
    customerId: z
      .union([customer, customerName])
      .nullable()
      .describe('The customer, or only id and name without `read:customers`; null when there is none.'),
    assignedTo: userSummary.nullable().describe('The user who is assigned; null when nobody is.'),
  })
  .meta({
    id: 'PopulatedConversation',
    description: 'A conversation; `customerId` and `assignedTo` are objects.',
  })

const inboxId = referenceTo('inbox')
const optionalCustomerId = referenceTo('customer').nullable().optional()
const optionalUserId = referenceTo('user').nullable().optional()

export const createConversationBody = z
  .strictObject({
    subject: requiredText(300).describe(fieldText.subject),
    inboxId: inboxId.describe(fieldText.inboxId),
    customerId: optionalCustomerId.describe(fieldText.customerId),
    channel: z.enum(channels).nullable().optional().describe(`${fieldText.channel} Default: email.`),
    priority: z.enum(priorities).nullable().optional().describe(`${fieldText.priority} Default: medium.`),
    labels: labelList.nullable().optional().describe(fieldText.labels),
    assignedTo: optionalUserId.describe(fieldText.assignedTo),
    message: newMessageBody.nullable().optional().describe('The first message.'),
  })
  .meta({ id: 'CreateConversation', description: 'A new conversation.' })
export type CreateConversationBody = z.output<typeof createConversationBody>

const idMax = 64
const comparedId = z.string().max(idMax)

/** Compared with the stored values and never looked up, so a foreign id says nothing. */
export const expectedConversation = z
  .strictObject({
    status: z.enum(conversationStatuses).optional().describe(fieldText.status),
    snoozedUntil: moment.nullable().optional().describe(fieldText.snoozedUntil),
    assignedTo: comparedId.nullable().optional().describe(fieldText.assignedTo),
    priority: z.enum(priorities).optional().describe(fieldText.priority),
    inboxId: comparedId.optional().describe(fieldText.inboxId),
    customerId: comparedId.nullable().optional().describe(fieldText.customerId),
  })
  .refine((expected) => Object.keys(expected).length > 0, rule('required', 'must name at least one field'))
  .meta({ id: 'ExpectedConversation', description: 'Values that a conversation must have for a change.' })
export type ExpectedConversation = z.output<typeof expectedConversation>

export const updateConversationBody = z
  .strictObject({
    subject: requiredText(300).optional().describe(fieldText.subject),
    status: z.enum(conversationStatuses).nullable().optional().describe(`${fieldText.status} Default: open.`),
    priority: z.enum(priorities).nullable().optional().describe(`${fieldText.priority} Default: medium.`),
    assignedTo: optionalUserId.describe(fieldText.assignedTo),
    labels: labelList.nullable().optional().describe(fieldText.labels),
    inboxId: inboxId.optional().describe(fieldText.inboxId),
    customerId: optionalCustomerId.describe(fieldText.customerId),
    channel: z.enum(channels).nullable().optional().describe(`${fieldText.channel} Default: email.`),
    snoozedUntil: moment
      .nullable()
      .optional()
      .describe(`${fieldText.snoozedUntil} Only with status \`snoozed\`.`),
    wakeOnReply: z
      .boolean()
      .nullable()
      .optional()
      .describe(`${fieldText.wakeOnReply} Only with status \`snoozed\`. Default: true.`),
    expected: expectedConversation
      .optional()
      .describe(
        'Values that the conversation must have: with another one nothing is changed, and it is a CONFLICT whose `details.changed` has the expected and the actual value of each.',
      ),
  })
  .meta({
    id: 'UpdateConversation',
    description: 'Changes of a conversation. An absent field keeps its value.',
  })
export type UpdateConversationBody = z.output<typeof updateConversationBody>

/** So many conversations may be merged into one. */
export const mergedFromMax = 20

export const mergeConversationBody = z
  .strictObject({
    sourceId: referenceTo('conversation').describe('Id of the conversation that becomes part of this one.'),
  })
  .meta({ id: 'MergeConversation', description: 'The conversation to merge.' })

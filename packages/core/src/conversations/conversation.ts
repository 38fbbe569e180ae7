import { z } from 'zod'
import { customer, customerName } from '../customers/customer.ts'
import { newMessageBody } from '../messages/message.ts'
import { labelList } from '../shared/labels.ts'
import { referenceTo } from '../shared/reference.ts'
import { moment, optionalTimestamp, requiredText, timestamp } from '../shared/text.ts'
import { userSummary } from '../users/user.ts'
import { channels, conversationSources, conversationStatuses, priorities } from './conversation-values.ts'

const id = z.string()

const fields = {
  _id: id,
  tenantId: id,
  subject: z.string(),
  status: z.enum(conversationStatuses),
  priority: z.enum(priorities),
  channel: z.enum(channels),
  source: z.enum(conversationSources),
  customerId: id.nullable(),
  assignedTo: id.nullable(),
  inboxId: id,
  labels: z.array(z.string()),
  snoozedUntil: optionalTimestamp,
  wakeOnReply: z.boolean(),
  lastMessageAt: optionalTimestamp,
  /** Replies and inbound messages; notes do not count. */
  messageCount: z.int(),
  firstResponseAt: optionalTimestamp,
  closedAt: optionalTimestamp,
  readAt: z.object({ customer: optionalTimestamp, agent: optionalTimestamp }),
  rating: z.object({ score: z.int(), comment: z.string().nullable(), at: timestamp }).nullable(),
  externalIds: z.array(z.string()),
  createdAt: timestamp,
  updatedAt: timestamp,
}

/** A conversation as lists, POST and PUT answer it: `customerId` and `assignedTo` are ids. */
export const conversation = z.object(fields).meta({ id: 'Conversation' })
export type Conversation = z.infer<typeof conversation>

/** A conversation as GET answers it: `customerId` and `assignedTo` are objects. */
export const populatedConversation = z
  .object({
    ...fields,
    customerId: z.union([customer, customerName]).nullable(),
    assignedTo: userSummary.nullable(),
  })
  .meta({ id: 'PopulatedConversation' })

export const createConversationBody = z
  .strictObject({
    subject: requiredText(300),
    inboxId: referenceTo('inbox'),
    customerId: referenceTo('customer').nullable().optional(),
    channel: z.enum(channels).nullable().optional(),
    priority: z.enum(priorities).nullable().optional(),
    labels: labelList.nullable().optional(),
    assignedTo: referenceTo('user').nullable().optional(),
    message: newMessageBody.nullable().optional(),
  })
  .meta({ id: 'CreateConversation' })
export type CreateConversationBody = z.output<typeof createConversationBody>

export const updateConversationBody = z
  .strictObject({
    subject: requiredText(300).optional(),
    status: z.enum(conversationStatuses).nullable().optional(),
    priority: z.enum(priorities).nullable().optional(),
    assignedTo: referenceTo('user').nullable().optional(),
    labels: labelList.nullable().optional(),
    inboxId: referenceTo('inbox').optional(),
    customerId: referenceTo('customer').nullable().optional(),
    channel: z.enum(channels).nullable().optional(),
    snoozedUntil: moment.nullable().optional(),
    wakeOnReply: z.boolean().nullable().optional(),
  })
  .meta({ id: 'UpdateConversation' })
export type UpdateConversationBody = z.output<typeof updateConversationBody>

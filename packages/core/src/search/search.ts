import { z } from 'zod'
import { conversation } from '../conversations/conversation.ts'
import { customer, customerName } from '../customers/customer.ts'
import { messageDirections, messageTypes } from '../messages/message.ts'
import { timestamp } from '../shared/text.ts'

export const searchGroups = ['customers', 'conversations', 'messages'] as const
export type SearchGroup = (typeof searchGroups)[number]

export const customerMatch = z
  .object({
    customer: customer.describe('The customer.'),
    matched: z
      .enum(['name', 'email', 'phone', 'company'])
      .describe('The first of these parts of the customer in which a word of the search occurs.'),
  })
  .meta({ id: 'CustomerMatch', description: 'A customer whom a search found.' })
export type CustomerMatch = z.infer<typeof customerMatch>

export const conversationMatch = z
  .object({
    conversation: conversation.describe('The conversation.'),
    matched: z
      .enum(['subject', 'customer'])
      .nullable()
      .describe('Where the words are; null for a search of operators alone.'),
  })
  .meta({ id: 'ConversationMatch', description: 'A conversation that a search found.' })
export type ConversationMatch = z.infer<typeof conversationMatch>

export const messageMatch = z
  .object({
    messageId: z.string().describe('Id of the message.'),
    conversationId: z.string().describe('Id of its conversation.'),
    subject: z.string().describe('Subject of the conversation.'),
    customer: z
      .union([customer.pick({ _id: true, profile: true }), customerName])
      .nullable()
      .describe('The customer, or only id and name without `read:customers`; null when there is none.'),
    type: z.enum(messageTypes).describe('Kind: `reply`, `note` or `activity`.'),
    direction: z.enum(messageDirections).describe('Direction of the message.'),
    at: timestamp.describe('Time of the message.'),
    snippet: z
      .string()
      .describe('Plain text around the first hit: at most 60 characters on each side, and whole characters.'),
    ranges: z
      .array(z.array(z.int()).length(2))
      .describe('Start and end of each hit in `snippet`, in UTF-16 units.'),
  })
  .meta({ id: 'MessageMatch', description: 'A message that a search found.' })
export type MessageMatch = z.infer<typeof messageMatch>

const partial = (group: SearchGroup) =>
  z
    .boolean()
    .describe(`Whether there may be more ${group}: the time was over, or the search stopped looking.`)

export const searchResults = z
  .object({
    customers: z
      .array(customerMatch)
      .nullable()
      .describe('Customers, the newest first; null when not asked.'),
    conversations: z
      .array(conversationMatch)
      .nullable()
      .describe('Conversations, the one with the latest message first; null when not asked.'),
    messages: z.array(messageMatch).nullable().describe('Messages, the newest first; null when not asked.'),
    isPartial: z
      .object({
        customers: partial('customers'),
        conversations: partial('conversations'),
        messages: partial('messages'),
      })
      .describe('Whether each group may be incomplete.'),
  })
  .meta({ id: 'SearchResults', description: 'Results of a search, by groups.' })
export type SearchResults = z.infer<typeof searchResults>

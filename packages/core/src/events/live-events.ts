import { z } from 'zod'
import { conversationCounts } from '../conversations/conversation-counts.ts'
import { presence } from '../conversations/presence.ts'
import { draftAuthor } from '../drafts/draft-author.ts'
import { user } from '../users/user.ts'
import type { LiveEventType } from './live-event-types.ts'

const conversationId = z.string().describe('Id of the conversation.')

const draftData = z
  .object({
    conversationId,
    draftId: z.string().describe('Id of the draft.'),
    author: draftAuthor.describe('Author of the draft: a user or an API key.'),
    version: z.int().describe('Version of the draft.'),
    sendAt: z.iso.datetime().nullable().describe('When the service sends it; null: not by itself.'),
  })
  .meta({ id: 'DraftEventData', description: 'A draft, without its content, which has to be read.' })

/** The data of each live event. */
export const liveEventData = {
  'counts.changed': conversationCounts,
  'presence.changed': z
    .object({
      conversationId,
      present: z.array(presence).describe('All users who have the conversation open, the first one first.'),
    })
    .meta({ id: 'PresenceChangedData', description: 'The users who have a conversation open now.' }),
  typing: z
    .object({
      conversationId,
      isTyping: z
        .boolean()
        .describe('Whether the customer types. A sign that is not repeated is over after 6 seconds.'),
      by: z
        .object({
          type: z.literal('customer').describe('Always `customer`.'),
          _id: z.string().nullable().describe('Id of the customer; null when there is none.'),
          name: z.string().nullable().describe('Name of the customer; null when it is not known.'),
        })
        .describe('The customer.'),
    })
    .meta({ id: 'TypingData', description: 'A visitor of the chat widget types, or has stopped.' }),
  'draft.updated': draftData,
  'draft.deleted': draftData,
  'conversation.read': z
    .object({
      conversationId,
      seq: z.int().describe('`seq` of the conversation up to which the user has read.'),
      unread: z
        .object({ count: z.int().min(0).describe('Messages that are unread; 100 means 100 or more.') })
        .describe('The unread messages of the user.'),
    })
    .meta({
      id: 'ConversationReadData',
      description:
        'The signed-in user has marked a conversation as read or unread, here or in another window.',
    }),
  'availability.changed': z
    .object({
      userId: z.string().describe('Id of the user.'),
      availability: user.shape.availability,
      since: user.shape.availabilitySince,
    })
    .meta({ id: 'AvailabilityChangedData', description: 'A user came online, went away, or left.' }),
  'customer.notes': z.object({ customerId: z.string().describe('Id of the customer.') }).meta({
    id: 'CustomerNotesData',
    description: 'Notes about a customer were written, changed or deleted. They have to be read.',
  }),
} as const satisfies Readonly<Record<LiveEventType, z.ZodObject>>

export type LiveEventData<T extends LiveEventType> = z.infer<(typeof liveEventData)[T]>

/** A live event as a stream sends it. */
export interface LiveEvent<T extends LiveEventType = LiveEventType> {
  event: T
  /** ISO 8601. */
  timestamp: string
  data: LiveEventData<T>
}

/** The meaning of each live event, for the reference. */
export const liveEventSummaries: Readonly<Record<LiveEventType, string>> = {
  'counts.changed':
    'The first one of a stream holds all counts of the signed-in user; later ones the new values of those that changed, at most one a second. Replace the values: a missed one is harmless.',
  'presence.changed': 'All users who have a conversation open, after one came, left, or began to reply.',
  typing: 'A visitor of the chat widget types. Without another one it is over after 6 seconds.',
  'draft.updated': 'A draft of the conversation was made or changed.',
  'draft.deleted': 'A draft of the conversation was deleted or sent.',
  'conversation.read':
    'The signed-in user has marked a conversation as read or unread. Only streams of the same user get it.',
  'availability.changed':
    'The availability of a user has another value, because they set it or by itself; in the latter case up to a minute late. A user who has restricted the processing of their data is offline to everybody else.',
  'customer.notes':
    'A note about the customer was written, changed or deleted. Only streams of users who may read customers get it.',
}

import { z } from 'zod'
import { lastMessage, storedConversation } from '../conversations/conversation.ts'
import { customer } from '../customers/customer.ts'
import { inboxDoorData, integrationDoorData } from '../doors/door.ts'
import { parkedMail } from '../mails/inbound-mail.ts'
import { mention } from '../mentions/mention.ts'
import { message } from '../messages/message.ts'
import { jsonValue } from '../shared/custom-fields.ts'
import { call } from '../telephony/call.ts'
import { user } from '../users/user.ts'
import type { EventType } from './event-types.ts'

/** Without the text: what was written stands in the events of the messages alone. */
const namedLastMessage = lastMessage.omit({ preview: true }).meta({
  id: 'NamedLastMessage',
  description: 'The newest reply or inbound message of a conversation, without its text.',
})

const conversationData = storedConversation
  .extend({
    lastMessage: namedLastMessage
      .nullable()
      .default(null)
      .describe('The newest reply or inbound message, without its text; null without any.'),
    customerId: customer.nullable().describe('The customer; null when there is none.'),
  })
  .meta({ id: 'ConversationEventData', description: 'A conversation with its customer.' })

const messageData = message
  .extend({
    conversation: storedConversation
      .pick({
        _id: true,
        subject: true,
        status: true,
        priority: true,
        channel: true,
        assignedTo: true,
        inboxId: true,
        seq: true,
        lastMessageAt: true,
        lastMessage: true,
        lastCustomerMessageAt: true,
        waitingSince: true,
      })
      .describe(
        'Summary of the conversation. Where `lastMessage` is another message than that of the event, its `preview` is null.',
      ),
    customer: customer
      .pick({ _id: true, profile: true })
      .nullable()
      .describe('Summary of the customer; null when there is none.'),
  })
  .meta({
    id: 'MessageEventData',
    description: 'A message with summaries of its conversation and its customer.',
  })

const deletedData = z
  .object({ _id: z.string().describe('Id of the deleted resource.') })
  .meta({ id: 'DeletedEventData', description: 'The id of a deleted resource.' })

const testData = z
  .object({
    webhookId: z.string().describe('Id of the webhook.'),
    name: z.string().describe('Name of the webhook.'),
    message: z.string().describe('Explanation for people.'),
  })
  .meta({ id: 'WebhookTestEventData', description: 'The data of a test event.' })

/** An event type and what it reports. */
interface DeliveredEvent {
  readonly summary: string
  readonly data: z.ZodObject
}

/** The summary and the data of every event that a webhook may get. */
const deliveredEvents: Readonly<Record<EventType | 'webhook.test', DeliveredEvent>> = {
  'conversation.created': { summary: 'A conversation was created', data: conversationData },
  'conversation.updated': { summary: 'A conversation changed', data: conversationData },
  'conversation.assigned': {
    summary: 'A conversation got another assignee, or none',
    data: conversationData,
  },
  'conversation.closed': { summary: 'A conversation was closed', data: conversationData },
  'conversation.merged': { summary: 'Another conversation was merged into this one', data: conversationData },
  'conversation.unmerged': {
    summary: 'A merge into this conversation was taken back',
    data: conversationData,
  },
  'conversation.deleted': { summary: 'A conversation was deleted', data: deletedData },
  'customer.created': { summary: 'A customer was created', data: customer },
  'customer.updated': { summary: 'A customer changed', data: customer },
  'customer.deleted': { summary: 'A customer was deleted', data: deletedData },
  'message.sent': { summary: 'A reply was sent', data: messageData },
  'message.received': { summary: 'A message was received', data: messageData },
  'message.deleted': { summary: 'A reply was taken back before it was sent', data: deletedData },
  'message.updated': { summary: 'The status of a message changed', data: messageData },
  'note.created': { summary: 'A note was written for the team', data: messageData },
  'mention.created': { summary: 'A note mentions a user', data: mention },
  'mail.parked': { summary: 'A mail that arrived needs a person', data: parkedMail },
  'inbox.failing': { summary: 'An inbox does not receive or send any more', data: inboxDoorData },
  'inbox.recovered': { summary: 'An inbox receives or sends again', data: inboxDoorData },
  'integration.failing': { summary: 'A source cannot be read any more', data: integrationDoorData },
  'integration.recovered': { summary: 'A source can be read again', data: integrationDoorData },
  'user.created': { summary: 'A user was invited or registered', data: user },
  'user.updated': { summary: 'A user changed', data: user },
  'user.deleted': { summary: 'A user was removed', data: deletedData },
  'call.initiated': { summary: 'A call was started', data: call },
  'call.ringing': { summary: 'A call is ringing', data: call },
  'call.answered': { summary: 'A call was answered', data: call },
  'call.completed': { summary: 'A call ended', data: call },
  'call.failed': { summary: 'A call failed', data: call },
  'call.recording.available': { summary: 'The recording of a call is available', data: call },
  'webhook.test': { summary: 'A test that somebody asked for', data: testData },
}

const changes = z
  .record(
    z.string(),
    z.object({
      from: jsonValue.describe('Value before the event.'),
      to: jsonValue.describe('Value after the event.'),
    }),
  )
  .describe('Each changed field by its path.')

// Each stands once in the reference, not once for each type of event.
const eventId = z
  .string()
  .meta({ id: 'EventId', description: 'Id of the event, the same in all attempts and redeliveries.' })
const eventTime = z.iso.datetime().meta({ id: 'EventTime', description: 'Time of the event.' })

export interface EventSchema {
  readonly type: EventType | 'webhook.test'
  readonly summary: string
  readonly body: z.ZodObject
}

/** The body of each event as a schema, for the reference and for tests. */
export const eventSchemas: readonly EventSchema[] = Object.entries(deliveredEvents).map(
  ([name, { summary, data }]) => {
    const type = name as EventSchema['type']
    const body = z.object({
      id: eventId,
      event: z.literal(type).describe('Type of the event.'),
      timestamp: eventTime,
      data: data.describe('The resource after the event.'),
      ...(type.endsWith('.updated') && { changes }),
    })
    return { type, summary, body }
  },
)

// Generated from the contract by scripts/generate.ts. Do not edit.
import type { CrmEvent, EventType } from '../resources/events.gen.ts'
import { makeConversationEventData, makeMessageEventData } from './event-data.ts'
import { nextId } from './overrides.ts'
import { makeCall, makeCustomer, makeMention, makeUser } from './samples.gen.ts'

/** Makes the `data` of each type of event. */
export const sampleEventData: { [Type in EventType]: () => Extract<CrmEvent, { event: Type }>['data'] } = {
  'conversation.created': () => makeConversationEventData(),
  'conversation.updated': () => makeConversationEventData(),
  'conversation.assigned': () => makeConversationEventData(),
  'conversation.closed': () => makeConversationEventData(),
  'customer.created': () => makeCustomer(),
  'customer.updated': () => makeCustomer(),
  'message.sent': () => makeMessageEventData(),
  'message.received': () => makeMessageEventData(),
  'user.created': () => makeUser(),
  'user.updated': () => makeUser(),
  'call.initiated': () => makeCall(),
  'call.ringing': () => makeCall(),
  'call.answered': () => makeCall(),
  'call.completed': () => makeCall(),
  'call.failed': () => makeCall(),
  'call.recording.available': () => makeCall(),
  'mention.created': () => makeMention(),
  'conversation.merged': () => makeConversationEventData(),
  'conversation.unmerged': () => makeConversationEventData(),
  'customer.deleted': () => ({ _id: nextId('cus') }),
  'conversation.deleted': () => ({ _id: nextId('con') }),
  'user.deleted': () => ({ _id: nextId('usr') }),
  'message.updated': () => makeMessageEventData(),
  'message.deleted': () => ({ _id: nextId('msg') }),
  'note.created': () => makeMessageEventData(),
  'mail.parked': () => ({ _id: nextId('mail'), inboxId: nextId('inb'), door: 'http', status: 'parked', reason: 'no_sender', receivedAt: '2026-01-01T00:00:00.000Z' }),
  'inbox.failing': () => ({ inboxId: nextId('inb'), part: 'receiving', since: '2026-01-01T00:00:00.000Z', reason: 'The server refuses the sign-in.', waiting: 0 }),
  'inbox.recovered': () => ({ inboxId: nextId('inb'), part: 'receiving', since: '2026-01-01T00:00:00.000Z', reason: 'The server refuses the sign-in.', waiting: 0 }),
  'integration.failing': () => ({ integrationId: nextId('int'), since: '2026-01-01T00:00:00.000Z', reason: 'The source refuses the credentials.' }),
  'integration.recovered': () => ({ integrationId: nextId('int'), since: '2026-01-01T00:00:00.000Z', reason: 'The source refuses the credentials.' }),
  'webhook.test': () => ({ webhookId: nextId('whk'), name: 'A name', message: 'A test event' }),
}

import { type EventType, eventTypes } from '../../packages/core/src/events/event-types.ts'
import { union } from './render-type.ts'

const conversation = 'ConversationEventData'
const message = 'MessageEventData'
const call = 'Record<string, JsonValue>'

/** What `data` holds, by event type. Source: the functions that make the events, beside each area's rules. */
export const dataTypes: Record<EventType, string> = {
  'conversation.created': conversation,
  'conversation.updated': conversation,
  'conversation.assigned': conversation,
  'conversation.closed': conversation,
  'customer.created': 'Customer',
  'customer.updated': 'Customer',
  'message.sent': message,
  'message.received': message,
  'user.created': 'User',
  'user.updated': 'User',
  'call.initiated': call,
  'call.ringing': call,
  'call.answered': call,
  'call.completed': call,
  'call.failed': call,
  'call.recording.available': call,
  'customer.deleted': 'DeletedData',
  'conversation.deleted': 'DeletedData',
}

const helpers = `import type { Conversation, Customer, JsonValue, Message, User } from './types.gen.ts'

interface EventBase<Type extends string, Data> {
  /** The event's id, the same over all attempts and redeliveries: what to deduplicate by. */
  id: string
  event: Type
  /** When the event happened, ISO 8601. */
  timestamp: string
  data: Data
  /** For changes: each changed field with its value before and after. */
  changes?: Record<string, { from: JsonValue; to: JsonValue }>
}

/** A conversation with its customer in place of the customer's id. */
export type ConversationEventData = Omit<Conversation, 'customerId'> & { customerId: Customer | null }

/** A message with what is needed of its conversation and its customer. */
export interface MessageEventData extends Message {
  conversation: Pick<
    Conversation,
    '_id' | 'subject' | 'status' | 'priority' | 'channel' | 'assignedTo' | 'inboxId'
  >
  customer: Pick<Customer, '_id' | 'profile'> | null
}

export interface DeletedData {
  _id: string
}

/** What \`POST /webhooks/{id}/test\` sends; no webhook subscribes to it. */
export type WebhookTestEvent = EventBase<'webhook.test', { webhookId: string; name: string; message: string }>

/** An event of a type that this version of the SDK does not know. */
export interface UnknownEvent extends Omit<EventBase<'unknown', JsonValue>, 'data'> {
  /** The type as it was sent. */
  eventName: string
  data: JsonValue
}
`

/** The event union, and the list by which an unknown type is recognised. */
export function renderEvents(): string {
  const names = eventTypes.map((type) => `${pascalEvent(type)}Event`)
  const interfaces = eventTypes.map(
    (type, index) => `export type ${names[index]} = EventBase<'${type}', ${dataTypes[type]}>`,
  )
  return [
    helpers,
    ...interfaces,
    '',
    "/** Every event, told apart by `event`; a type from the future is `'unknown'`. */",
    `export type CrmEvent =\n${union([...names, 'WebhookTestEvent', 'UnknownEvent'])
      .split(' | ')
      .map((name) => `  | ${name}`)
      .join('\n')}`,
    '',
    '/** The types that are told apart; the last one is only ever sent by a test. */',
    'export const eventTypes = [',
    ...[...eventTypes, 'webhook.test'].map((type) => `  '${type}',`),
    '] as const',
    'export type EventType = (typeof eventTypes)[number]',
    '',
  ].join('\n')
}

function pascalEvent(type: string): string {
  return type.replace(/(^|\.)([a-z])/g, (_, _dot, letter: string) => letter.toUpperCase())
}

import { type EventType, eventTypes } from '../../packages/core/src/events/event-types.ts'
import { type LiveEventType, liveEventTypes } from '../../packages/core/src/events/live-event-types.ts'
import { liveEventData, liveEventSummaries } from '../../packages/core/src/events/live-events.ts'
import { jsonSchemaOf, resolved } from './json-schema.ts'
import { renderMembers, union } from './render-type.ts'

const conversation = 'ConversationEventData'
const message = 'MessageEventData'
const call = 'Call'

/** The type of `data` by event type. Source: the functions that make the events, in each area's rules. */
export const dataTypes: Record<EventType, string> = {
  'conversation.created': conversation,
  'conversation.updated': conversation,
  'conversation.assigned': conversation,
  'conversation.closed': conversation,
  'conversation.merged': conversation,
  'conversation.unmerged': conversation,
  'customer.created': 'Customer',
  'customer.updated': 'Customer',
  'message.sent': message,
  'message.received': message,
  'message.updated': message,
  'message.deleted': 'DeletedData',
  'note.created': message,
  'mention.created': 'Mention',
  'mail.parked': 'MailEventData',
  'inbox.failing': 'InboxDoorEventData',
  'inbox.recovered': 'InboxDoorEventData',
  'integration.failing': 'IntegrationDoorEventData',
  'integration.recovered': 'IntegrationDoorEventData',
  'user.created': 'User',
  'user.updated': 'User',
  'user.deleted': 'DeletedData',
  'call.initiated': call,
  'call.ringing': call,
  'call.answered': call,
  'call.completed': call,
  'call.failed': call,
  'call.recording.available': call,
  'customer.deleted': 'DeletedData',
  'conversation.deleted': 'DeletedData',
}

const helpers = `import type {
  Call,
  Conversation,
  ConversationCounts,
  Customer,
  Door,
  DraftAuthor,
  InboundMail,
  JsonValue,
  LastMessage,
  Mention,
  Message,
  Presence,
  User,
} from './types.gen.ts'

/** A field before and after a change. */
export interface ChangedValue {
  /** Value before the change. */
  from: JsonValue
  /** Value after the change. */
  to: JsonValue
}

interface EventBase<Type extends string, Data> {
  /** Id of the event, the same in all attempts and redeliveries: use it to skip duplicates. */
  id: string
  /** Type of the event. */
  event: Type
  /** Time of the event, ISO 8601. */
  timestamp: string
  /** The resource after the event. */
  data: Data
  /** For an event about a change: each changed field with its value before and after. */
  changes?: Record<string, ChangedValue>
}

/** A conversation with its customer in place of the customer's id. */
export type ConversationEventData = Omit<Conversation, 'customerId' | 'unread' | 'lastMessage'> & {
  /** The newest reply or inbound message, without its text; null without any. */
  lastMessage: Omit<LastMessage, 'preview'> | null
  /** The customer; null when there is none. */
  customerId: Customer | null
}

/** A message with a summary of its conversation and its customer. */
export interface MessageEventData extends Message {
  /** Summary of the conversation. */
  conversation: Pick<
    Conversation,
        | '_id'
    | 'subject'
    | 'status'
    | 'priority'
    | 'channel'
    | 'assignedTo'
    | 'inboxId'
    | 'seq'
    | 'lastMessageAt'
    | 'lastMessage'
    | 'lastCustomerMessageAt'
    | 'waitingSince'
  >
  /** Summary of the customer; null when there is none. */
  customer: Pick<Customer, '_id' | 'profile'> | null
}

/** The data of a mail that needs a person. */
export type MailEventData = Pick<
  InboundMail,
  '_id' | 'inboxId' | 'door' | 'status' | 'reason' | 'receivedAt'
>

/** The data of an inbox that fails, or works again. */
export interface InboxDoorEventData extends Pick<Door, 'since' | 'reason' | 'waiting'> {
  /** Id of the inbox. */
  inboxId: string
  /** The door that does not work. */
  part: 'receiving' | 'sending'
}

/** The data of an integration that fails, or works again. */
export interface IntegrationDoorEventData extends Pick<Door, 'since' | 'reason'> {
  /** Id of the integration. */
  integrationId: string
}

/** The data of a deletion. */
export interface DeletedData {
  /** Id of the deleted resource. */
  _id: string
}

/** The event that \`POST /webhooks/{id}/test\` sends. No webhook can subscribe to it. */
export type WebhookTestEvent = EventBase<'webhook.test', WebhookTestData>

/** The data of a test event. */
export interface WebhookTestData {
  /** Id of the webhook. */
  webhookId: string
  /** Name of the webhook. */
  name: string
  /** Explanation for people. */
  message: string
}

/** An event of a type that this version of the SDK does not know. */
export interface UnknownEvent extends Omit<EventBase<'unknown', JsonValue>, 'data'> {
  /** The type as the service sent it. */
  eventName: string
  /** The data as the service sent it. */
  data: JsonValue
}

interface LiveEventBase<Type extends string, Data> {
  /** Type of the event. */
  event: Type
  /** Time of the event, ISO 8601. */
  timestamp: string
  /** The state that the event reports. */
  data: Data
}
`

/** The union of all events, and the list of known types. */
export function renderEvents(): string {
  const names = eventTypes.map((type) => `${pascalEvent(type)}Event`)
  const interfaces = eventTypes.map(
    (type, index) => `export type ${names[index]} = EventBase<'${type}', ${dataTypes[type]}>`,
  )
  return [
    helpers,
    ...interfaces,
    '',
    "/** Every event, distinguished by `event`; a type that this version does not know is `'unknown'`. */",
    `export type CrmEvent =\n${union([...names, 'WebhookTestEvent', 'UnknownEvent'])
      .split(' | ')
      .map((name) => `  | ${name}`)
      .join('\n')}`,
    '',
    ...liveDataDeclarations(),
    ...liveEventTypes.flatMap((type) => [
      `/** ${liveEventSummaries[type]} */`,
      `export type ${liveName(type)} = LiveEventBase<'${type}', ${liveDataName(type)}>`,
    ]),
    '',
    '/** Every live event, distinguished by `event`. It has no id and is stored nowhere; a newer service may send other types. */',
    `export type LiveEvent =\n${liveEventTypes.map((type) => `  | ${liveName(type)}`).join('\n')}`,
    '',
    '/** The event types that this version knows. Only a test sends the last one. */',
    'export const eventTypes = [',
    ...[...eventTypes, 'webhook.test'].map((type) => `  '${type}',`),
    '] as const',
    'export type EventType = (typeof eventTypes)[number]',
    '',
  ].join('\n')
}

/** The types of data that no operation sends; the others are among the resources. */
function liveDataDeclarations(): string[] {
  const types = new Map(liveEventTypes.map((type) => [liveDataName(type), liveEventData[type]]))
  types.delete('ConversationCounts')
  return [...types].flatMap(([name, source]) => {
    const schema = resolved(jsonSchemaOf(source, 'output'))
    return [
      `/** ${schema.description} */`,
      `export interface ${name} ${renderMembers(schema, 'response')}`,
      '',
    ]
  })
}

/** The name that the schema of the data has in the contract. */
function liveDataName(type: LiveEventType): string {
  const id = liveEventData[type].meta()?.id
  if (id === undefined) throw new Error(`The data of ${type} has no name`)
  return id
}

function liveName(type: LiveEventType): string {
  return `${pascalEvent(type)}Event`
}

function pascalEvent(type: string): string {
  return type.replace(/(^|\.)([a-z])/g, (_, _dot, letter: string) => letter.toUpperCase())
}

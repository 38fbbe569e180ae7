// Generated from the contract by scripts/generate.ts. Do not edit.
import type { Conversation, Customer, JsonValue, Message, User } from './types.gen.ts'

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

/** What `POST /webhooks/{id}/test` sends; no webhook subscribes to it. */
export type WebhookTestEvent = EventBase<'webhook.test', { webhookId: string; name: string; message: string }>

/** An event of a type that this version of the SDK does not know. */
export interface UnknownEvent extends Omit<EventBase<'unknown', JsonValue>, 'data'> {
  /** The type as it was sent. */
  eventName: string
  data: JsonValue
}

export type ConversationCreatedEvent = EventBase<'conversation.created', ConversationEventData>
export type ConversationUpdatedEvent = EventBase<'conversation.updated', ConversationEventData>
export type ConversationAssignedEvent = EventBase<'conversation.assigned', ConversationEventData>
export type ConversationClosedEvent = EventBase<'conversation.closed', ConversationEventData>
export type CustomerCreatedEvent = EventBase<'customer.created', Customer>
export type CustomerUpdatedEvent = EventBase<'customer.updated', Customer>
export type MessageSentEvent = EventBase<'message.sent', MessageEventData>
export type MessageReceivedEvent = EventBase<'message.received', MessageEventData>
export type UserCreatedEvent = EventBase<'user.created', User>
export type UserUpdatedEvent = EventBase<'user.updated', User>
export type CallInitiatedEvent = EventBase<'call.initiated', Record<string, JsonValue>>
export type CallRingingEvent = EventBase<'call.ringing', Record<string, JsonValue>>
export type CallAnsweredEvent = EventBase<'call.answered', Record<string, JsonValue>>
export type CallCompletedEvent = EventBase<'call.completed', Record<string, JsonValue>>
export type CallFailedEvent = EventBase<'call.failed', Record<string, JsonValue>>
export type CallRecordingAvailableEvent = EventBase<'call.recording.available', Record<string, JsonValue>>
export type CustomerDeletedEvent = EventBase<'customer.deleted', DeletedData>
export type ConversationDeletedEvent = EventBase<'conversation.deleted', DeletedData>

/** Every event, told apart by `event`; a type from the future is `'unknown'`. */
export type CrmEvent =
  | ConversationCreatedEvent
  | ConversationUpdatedEvent
  | ConversationAssignedEvent
  | ConversationClosedEvent
  | CustomerCreatedEvent
  | CustomerUpdatedEvent
  | MessageSentEvent
  | MessageReceivedEvent
  | UserCreatedEvent
  | UserUpdatedEvent
  | CallInitiatedEvent
  | CallRingingEvent
  | CallAnsweredEvent
  | CallCompletedEvent
  | CallFailedEvent
  | CallRecordingAvailableEvent
  | CustomerDeletedEvent
  | ConversationDeletedEvent
  | WebhookTestEvent
  | UnknownEvent

/** The types that are told apart; the last one is only ever sent by a test. */
export const eventTypes = [
  'conversation.created',
  'conversation.updated',
  'conversation.assigned',
  'conversation.closed',
  'customer.created',
  'customer.updated',
  'message.sent',
  'message.received',
  'user.created',
  'user.updated',
  'call.initiated',
  'call.ringing',
  'call.answered',
  'call.completed',
  'call.failed',
  'call.recording.available',
  'customer.deleted',
  'conversation.deleted',
  'webhook.test',
] as const
export type EventType = (typeof eventTypes)[number]

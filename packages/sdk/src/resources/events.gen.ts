// Generated from the contract by scripts/generate.ts. Do not edit.
import type {
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

/** The event that `POST /webhooks/{id}/test` sends. No webhook can subscribe to it. */
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
export type CallInitiatedEvent = EventBase<'call.initiated', Call>
export type CallRingingEvent = EventBase<'call.ringing', Call>
export type CallAnsweredEvent = EventBase<'call.answered', Call>
export type CallCompletedEvent = EventBase<'call.completed', Call>
export type CallFailedEvent = EventBase<'call.failed', Call>
export type CallRecordingAvailableEvent = EventBase<'call.recording.available', Call>
export type MentionCreatedEvent = EventBase<'mention.created', Mention>
export type ConversationMergedEvent = EventBase<'conversation.merged', ConversationEventData>
export type ConversationUnmergedEvent = EventBase<'conversation.unmerged', ConversationEventData>
export type CustomerDeletedEvent = EventBase<'customer.deleted', DeletedData>
export type ConversationDeletedEvent = EventBase<'conversation.deleted', DeletedData>
export type UserDeletedEvent = EventBase<'user.deleted', DeletedData>
export type MessageUpdatedEvent = EventBase<'message.updated', MessageEventData>
export type MessageDeletedEvent = EventBase<'message.deleted', DeletedData>
export type NoteCreatedEvent = EventBase<'note.created', MessageEventData>
export type MailParkedEvent = EventBase<'mail.parked', MailEventData>
export type InboxFailingEvent = EventBase<'inbox.failing', InboxDoorEventData>
export type InboxRecoveredEvent = EventBase<'inbox.recovered', InboxDoorEventData>
export type IntegrationFailingEvent = EventBase<'integration.failing', IntegrationDoorEventData>
export type IntegrationRecoveredEvent = EventBase<'integration.recovered', IntegrationDoorEventData>

/** Every event, distinguished by `event`; a type that this version does not know is `'unknown'`. */
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
  | MentionCreatedEvent
  | ConversationMergedEvent
  | ConversationUnmergedEvent
  | CustomerDeletedEvent
  | ConversationDeletedEvent
  | UserDeletedEvent
  | MessageUpdatedEvent
  | MessageDeletedEvent
  | NoteCreatedEvent
  | MailParkedEvent
  | InboxFailingEvent
  | InboxRecoveredEvent
  | IntegrationFailingEvent
  | IntegrationRecoveredEvent
  | WebhookTestEvent
  | UnknownEvent

/** The users who have a conversation open now. */
export interface PresenceChangedData {
  /** Id of the conversation. */
  conversationId: string
  /** All users who have the conversation open, the first one first. */
  present: Presence[]
}

/** A visitor of the chat widget types, or has stopped. */
export interface TypingData {
  /** Id of the conversation. */
  conversationId: string
  /** Whether the customer types. A sign that is not repeated is over after 6 seconds. */
  isTyping: boolean
  /** The customer. */
  by: {
    /** Always `customer`. */
    type: 'customer'
    /** Id of the customer; null when there is none. */
    _id: string | null
    /** Name of the customer; null when it is not known. */
    name: string | null
  }
}

/** A draft, without its content, which has to be read. */
export interface DraftEventData {
  /** Id of the conversation. */
  conversationId: string
  /** Id of the draft. */
  draftId: string
  /** Author of the draft: a user or an API key. */
  author: DraftAuthor
  /** Version of the draft. */
  version: number
  /** When the service sends it; null: not by itself. ISO 8601. */
  sendAt: string | null
}

/** The signed-in user has marked a conversation as read or unread, here or in another window. */
export interface ConversationReadData {
  /** Id of the conversation. */
  conversationId: string
  /** `seq` of the conversation up to which the user has read. */
  seq: number
  /** The unread messages of the user. */
  unread: {
    /** Messages that are unread; 100 means 100 or more. */
    count: number
  }
}

/** A user came online, went away, or left. */
export interface AvailabilityChangedData {
  /** Id of the user. */
  userId: string
  /** Whether the user is there now. Automatic assignment and calls consider those who are `online`. */
  availability: 'online' | 'away' | 'offline' | (string & {})
  /** Time from which `availability` has its value. ISO 8601. */
  since: string
}

/** Notes about a customer were written, changed or deleted. They have to be read. */
export interface CustomerNotesData {
  /** Id of the customer. */
  customerId: string
}

/** The first one of a stream holds all counts of the signed-in user; later ones the new values of those that changed, at most one a second. Replace the values: a missed one is harmless. */
export type CountsChangedEvent = LiveEventBase<'counts.changed', ConversationCounts>
/** All users who have a conversation open, after one came, left, or began to reply. */
export type PresenceChangedEvent = LiveEventBase<'presence.changed', PresenceChangedData>
/** A visitor of the chat widget types. Without another one it is over after 6 seconds. */
export type TypingEvent = LiveEventBase<'typing', TypingData>
/** A draft of the conversation was made or changed. */
export type DraftUpdatedEvent = LiveEventBase<'draft.updated', DraftEventData>
/** A draft of the conversation was deleted or sent. */
export type DraftDeletedEvent = LiveEventBase<'draft.deleted', DraftEventData>
/** The signed-in user has marked a conversation as read or unread. Only streams of the same user get it. */
export type ConversationReadEvent = LiveEventBase<'conversation.read', ConversationReadData>
/** The availability of a user has another value, because they set it or by itself; in the latter case up to a minute late. A user who has restricted the processing of their data is offline to everybody else. */
export type AvailabilityChangedEvent = LiveEventBase<'availability.changed', AvailabilityChangedData>
/** A note about the customer was written, changed or deleted. Only streams of users who may read customers get it. */
export type CustomerNotesEvent = LiveEventBase<'customer.notes', CustomerNotesData>

/** Every live event, distinguished by `event`. It has no id and is stored nowhere; a newer service may send other types. */
export type LiveEvent =
  | CountsChangedEvent
  | PresenceChangedEvent
  | TypingEvent
  | DraftUpdatedEvent
  | DraftDeletedEvent
  | ConversationReadEvent
  | AvailabilityChangedEvent
  | CustomerNotesEvent

/** The event types that this version knows. Only a test sends the last one. */
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
  'mention.created',
  'conversation.merged',
  'conversation.unmerged',
  'customer.deleted',
  'conversation.deleted',
  'user.deleted',
  'message.updated',
  'message.deleted',
  'note.created',
  'mail.parked',
  'inbox.failing',
  'inbox.recovered',
  'integration.failing',
  'integration.recovered',
  'webhook.test',
] as const
export type EventType = (typeof eventTypes)[number]

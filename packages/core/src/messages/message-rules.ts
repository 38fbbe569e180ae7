import type { Attachment } from '../attachments/attachment.ts'
import type { CrossFieldRule } from '../contract/define-operation.ts'
import { invalidState } from '../contract/failure.ts'
import type { Conversation } from '../conversations/conversation.ts'
import type { Customer } from '../customers/customer.ts'
import { type DomainEvent, makeEvent } from '../events/event.ts'
import type { EventType } from '../events/event-types.ts'
import { replyAddressesOf } from '../mails/mail-values.ts'
import type { Changes } from '../shared/changes.ts'
import type { Message, MessageStatus, NewMessageBody } from './message.ts'
import type { MessageEmail } from './message-email.ts'
import { factsAfter, shownWaitingSince } from './row-facts.ts'

const noteFromCustomer = {
  message: 'cannot be inbound for a note',
  rule: 'note',
}
const isInboundNote = (body: unknown) =>
  typeof body === 'object' && body !== null && 'type' in body && 'direction' in body
    ? body.type === 'note' && body.direction === 'inbound'
    : false

/** A message of a customer must not become a note, which the customer never sees. */
export const noteIsNotInbound: CrossFieldRule = {
  description: 'A note is not inbound.',
  check: (body) => (isInboundNote(body) ? { field: 'direction', ...noteFromCustomer } : undefined),
}

/** The same rule for the first message of a conversation. */
export const firstNoteIsNotInbound: CrossFieldRule = {
  description: noteIsNotInbound.description,
  check: ({ message }) =>
    isInboundNote(message) ? { field: 'message.direction', ...noteFromCustomer } : undefined,
}

/** Says that a body needs a text or a file. The schema judges values of another type. */
function wordsOrFiles(body: object, field: string): { message: string; rule: string } | undefined {
  const { [field]: text, attachments }: Record<string, unknown> = { ...body }
  if (Array.isArray(attachments) && attachments.length > 0) return undefined
  if (text === undefined || text === null) return { message: 'is required', rule: 'required' }
  return typeof text === 'string' && text.trim() === ''
    ? { message: 'must not be blank', rule: 'min' }
    : undefined
}

/** Returns the rule that a message, whose text is this field, needs a text or a file. */
export function needsWordsOrFiles(field: string): CrossFieldRule {
  return {
    description: `\`${field}\` or at least one file is required.`,
    check: (body) => {
      const problem = wordsOrFiles(body, field)
      return problem && { field, ...problem }
    },
  }
}

/** The same rule for the first message of a conversation. */
export const firstMessageNeedsWordsOrFiles: CrossFieldRule = {
  description: '`message` needs a text or at least one file.',
  check: ({ message }) => {
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined
    const problem = wordsOrFiles(message, 'content')
    return problem && { field: 'message.content', ...problem }
  },
}

interface NewMessageParts {
  id: string
  conversation: Conversation
  /** The customer of the conversation: the sender of an inbound message. */
  customer: Customer | null
  /** The caller: the sender of a reply or a note. */
  author: Message['sender']
  attachments?: Attachment[]
  now: string
}

export function newMessage(
  body: NewMessageBody,
  { id, conversation, customer, author, attachments = [], now }: NewMessageParts,
): Message {
  const isNote = body.type === 'note'
  const direction = isNote ? 'internal' : (body.direction ?? 'outbound')
  return {
    _id: id,
    tenantId: conversation.tenantId,
    conversationId: conversation._id,
    type: body.type ?? 'reply',
    direction,
    sender: direction === 'inbound' ? customerSender(customer) : author,
    content: body.content,
    contentType: body.contentType ?? 'text',
    attachments,
    status: 'sent',
    clientMessageId: body.clientMessageId ?? null,
    externalId: null,
    email: null,
    recipients: [],
    via: null,
    mentions: [],
    draftedBy: null,
    choices: body.choices ?? [],
    choice: null,
    sentAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Returns the customer as the sender of a message; null: a visitor whose customer is not known. */
export function customerSender(customer: Customer | null): Message['sender'] {
  const { firstName, lastName, company, email } = customer?.profile ?? {}
  const name = [firstName, lastName].filter(Boolean).join(' ') || company || email || null
  return { type: 'customer', _id: customer?._id ?? null, name }
}

type LaterField = 'email' | 'recipients' | 'via' | 'mentions' | 'draftedBy' | 'choices' | 'choice' | 'sentAt'

/** A message as it is stored: rows of earlier versions do not have these fields. */
export type StoredMessage = Omit<Message, LaterField> &
  Partial<Pick<Message, LaterField>> & {
    /** Id of the message by which the visitor has made one of the choices; the commit of that message fixes it. */
    chosenIn?: string | null
  }

/** Returns the message with the fields that rows of earlier versions do not have. */
export function shownMessage<T extends StoredMessage>({
  chosenIn: _,
  ...row
}: T): Omit<T, 'chosenIn'> & Message {
  return {
    ...row,
    email: row.email ? shownEmail(row.email, row.content) : null,
    recipients: (row.recipients ?? []).map(shownRecipient),
    via: row.via ?? null,
    mentions: row.mentions ?? [],
    draftedBy: row.draftedBy ?? null,
    choices: row.choices ?? [],
    choice: row.choice ?? null,
    sentAt: row.sentAt ?? null,
  }
}

function shownRecipient(recipient: Message['recipients'][number]): Message['recipients'][number] {
  const { bouncedAt = null, complainedAt = null }: Partial<typeof recipient> = recipient
  return { ...recipient, bouncedAt, complainedAt }
}

/** Rows of earlier versions have one address for replies, and of quotations the end alone. */
function shownEmail(email: MessageEmail, { length }: string): MessageEmail {
  const { quotedFrom, quoted, forwardedFrom = null }: Partial<MessageEmail> = email
  const end = typeof quotedFrom === 'number' ? [{ from: quotedFrom, to: length, messageId: null }] : []
  return { ...email, replyToList: replyAddressesOf(email), forwardedFrom, quoted: quoted ?? end }
}

/** The statuses that a message can move to: only forwards. */
const nextStatuses: Readonly<Record<MessageStatus, readonly MessageStatus[]>> = {
  queued: ['sent', 'delivered', 'read', 'failed'],
  sent: ['delivered', 'read', 'failed'],
  delivered: ['read'],
  read: [],
  failed: [],
}

/** Throws INVALID_STATE on a move backwards. The same status again is no move. */
export function assertMessageStatusMove(from: MessageStatus, to: MessageStatus): void {
  if (from !== to && !nextStatuses[from].includes(to)) {
    throw invalidState(`A message that is ${from} cannot become ${to}`, from, nextStatuses[from])
  }
}

/** The fields of the conversation that a message changes. Notes are internal and do not count. */
export function conversationAfterMessage(before: Conversation, message: Message) {
  const isNote = message.type === 'note'
  // An automatic reply is no response of the team.
  const isResponse = message.direction === 'outbound' && message.email?.automated !== true
  const isFirstResponse = isResponse && before.firstResponseAt === null
  return {
    messageCount: before.messageCount + (isNote ? 0 : 1),
    // Rows of earlier versions do not have it.
    seq: (before.seq ?? 0) + 1,
    ...factsAfter(before, message),
    firstResponseAt: isFirstResponse ? message.createdAt : before.firstResponseAt,
    updatedAt: message.createdAt,
  }
}

interface MessageEventParts {
  message: Message
  conversation: Conversation
  customer: Customer | null
  /** Whether the caller has restricted the processing of their data: the event then names them by id only. */
  isAuthorRestricted: boolean
  nextEventId: () => string
  now: string
}

/** `message.sent` for a reply, `message.received` for an inbound message, `note.created` for a note. */
export function messageEvent(parts: MessageEventParts): DomainEvent {
  if (parts.message.type === 'note') return eventOf('note.created', parts)
  return eventOf(parts.message.direction === 'inbound' ? 'message.received' : 'message.sent', parts)
}

/** Reports another status of a message. */
export function messageUpdatedEvent(parts: MessageEventParts, changes: Changes): DomainEvent {
  return eventOf('message.updated', parts, changes)
}

function eventOf(type: EventType, parts: MessageEventParts, changes?: Changes): DomainEvent {
  const { message, conversation, customer, nextEventId, now } = parts
  const isHidden = parts.isAuthorRestricted && message.sender.type === 'user'
  const { _id, subject, status, priority, channel, assignedTo, inboxId, seq = 0 } = conversation
  const { lastMessageAt, lastMessage = null, lastCustomerMessageAt = null } = conversation
  // The text of another message stands in the event of that message alone, where an erasure finds it.
  const isOwn = lastMessage?._id === message._id
  const facts = {
    lastMessageAt,
    lastMessage: lastMessage && (isOwn ? lastMessage : { ...lastMessage, preview: null }),
    lastCustomerMessageAt,
    waitingSince: shownWaitingSince(conversation),
  }
  return makeEvent({
    id: nextEventId(),
    type,
    now,
    subjects: [
      message._id,
      conversation._id,
      conversation.customerId,
      message.sender._id,
      message.draftedBy?._id ?? null,
    ],
    data: {
      ...message,
      sender: isHidden ? { ...message.sender, name: null } : message.sender,
      conversation: { _id, subject, status, priority, channel, assignedTo, inboxId, seq, ...facts },
      customer: customer && { _id: customer._id, profile: customer.profile },
    },
    ...(changes && { changes }),
  })
}

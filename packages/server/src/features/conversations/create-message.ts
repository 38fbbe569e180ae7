import {
  asksForReply,
  type Conversation,
  type Customer,
  conversationAfterMessage,
  type createMessage,
  customerSender,
  type InputOf,
  isAnswer,
  isReopenedByInbound,
  lastMessageFields,
  type Message,
  messageEvent,
  type NewMessageBody,
  newMessage,
  notFound,
  reopenedConversation,
  shownMessage,
  validationFailure,
} from '@crmkit/core'
import { queueReply } from '../../mail/out/queue-reply.ts'
import type { MailContext } from '../../mail/out/sending-inbox.ts'
import type { Change, Write } from '../../ports/change.ts'
import { byCustomer } from '../../shared/conversation-log.ts'
import { withContact } from '../../shared/last-contact.ts'
import { assertNotMerged } from '../../shared/merged-conversation.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'
import type { Actor } from '../caller.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { assertHandedOver } from './assert-handed-over.ts'
import { assertNobodyReplied } from './assert-nobody-replied.ts'
import { authorOf, isRestricted } from './author.ts'
import { conversationChange } from './change-conversation.ts'
import { findCustomerOf } from './conversation-references.ts'
import { mentionChange, mentionedUsers } from './mentions.ts'
import { findMessageAttachments, type MessageAttachments } from './message-attachments.ts'
import { withSafeContent } from './message-content.ts'
import { authorReadWrites, enteredSignals } from './read-state.ts'

export const handleCreateMessage: Handler<typeof createMessage> = async (ctx, { params, body, headers }) => {
  const { store, now, actor } = ctx
  const safeBody = withSafeContent(body)
  const before = await store.conversations.find(params.id)
  if (before === undefined) throw notFound()
  if (body.clientMessageId) {
    const first = await store.messages.findByClientMessageId(before._id, body.clientMessageId)
    if (first) return { status: 200, reply: { success: true, data: shownMessage(first) } }
  }
  const knownSeq = knownSeqOf(headers, body)
  const isForced = headers.Force === 'true'
  const attachments = await findMessageAttachments(store, {
    ids: body.attachments,
    field: 'attachments',
    now,
    mountPath: ctx.mountPath,
  })
  if (attachments.problems.length > 0) throw validationFailure(attachments.problems)
  const { change, message, conversation } = await callerMessageChange(ctx, {
    before,
    body: safeBody,
    actor,
    attachments,
    knownSeq,
    isForced,
    isSeqGuarded: knownSeq !== undefined,
  })
  const live = enteredSignals(ctx, conversation, message)
  return { change, reply: { success: true, data: message }, live }
}

type ReplyHeaders = InputOf<typeof createMessage>['headers']

function isReply({ type, direction }: Pick<NewMessageBody, 'type' | 'direction'>): boolean {
  return (type ?? 'reply') === 'reply' && (direction ?? 'outbound') === 'outbound'
}

/** Returns the `seq` on which the caller has decided to reply; undefined when the caller replies in any case. */
export function knownSeqOf(
  headers: ReplyHeaders,
  { type, direction }: Pick<NewMessageBody, 'type' | 'direction'>,
): number | undefined {
  return isReply({ type, direction }) && headers.Force !== 'true' ? headers['If-Conversation-Seq'] : undefined
}

interface CallerMessage extends Omit<AddedMessage, 'author' | 'isAuthorRestricted'> {
  actor: Actor
  knownSeq?: number | undefined
  /** Whether the caller replies in any case. */
  isForced?: boolean
}

/**
 * Returns the change that adds a message of a user or a key, who has then read the conversation up to it. Throws CONFLICT
 * when somebody else has replied after `knownSeq`, and INVALID_STATE in a conversation of a package that is not handed over.
 */
export async function callerMessageChange(
  ctx: Pick<HandlerContext, 'store' | 'ids' | 'now'> & MailContext,
  { actor, knownSeq, isForced = false, ...added }: CallerMessage,
): Promise<{ change: Change; message: Message; conversation: Conversation }> {
  const { before, finish = same } = added
  const mentioned = await mentionedUsers(ctx.store, { body: added.body, actor })
  const { change, message } = await messageChange(ctx, {
    ...added,
    finish: (made) => finish({ ...made, mentions: mentioned }),
    // The `seq` of the mentions has to be that of the note.
    isSeqGuarded: added.isSeqGuarded === true || mentioned.length > 0,
    author: authorOf(actor),
    isAuthorRestricted: isRestricted(actor),
  })
  if (!isForced && isReply(added.body)) await assertHandedOver(ctx.store, added.before)
  if (knownSeq !== undefined) await assertNobodyReplied(ctx.store, { conversation: before, knownSeq, actor })
  const after = { ...before, ...conversationAfterMessage(before, message) }
  const mentions = mentionChange(ctx, { message, conversation: after })
  change.writes.push(...mentions.writes, ...(await authorReadWrites({ ...ctx, actor }, after)))
  change.events.push(...mentions.events)
  return { change, message, conversation: after }
}

const same = (message: Message) => message

interface AddedMessage {
  before: Stored<Conversation> & Pick<ConversationRecord, 'visitorId' | 'visitorDoor'>
  body: NewMessageBody
  author: Message['sender']
  isAuthorRestricted: boolean
  attachments: MessageAttachments
  /** Whether another message at the same moment makes the commit conflict. */
  isSeqGuarded?: boolean
  /** Fields of the conversation that must still be as they were read. */
  when?: Partial<ConversationRecord>
  /** False: an inbound message leaves the conversation in its status. */
  isReopening?: boolean
  /** The customer who wrote it, where that is not the conversation's. */
  writer?: Customer | undefined
  /** Adds the fields of the message that no client of the API sends. */
  finish?: (message: Message) => Message
}

/** Returns the change that adds a message to a conversation, with its events; an inbound one may reopen it. */
export async function messageChange(
  ctx: Pick<HandlerContext, 'store' | 'ids' | 'now'> & MailContext,
  added: AddedMessage,
): Promise<{ change: Change; message: Message; conversation: Conversation }> {
  const { store, ids, now } = ctx
  const { before, body, author, isAuthorRestricted, attachments, isReopening = true, finish = same } = added
  const { writer } = added
  assertNotMerged(before)
  const customer = await findCustomerOf(store, before.customerId)
  const conversation = withoutVersion(before)
  const created = newMessage(body, {
    id: ids.next('msg'),
    conversation,
    customer,
    author,
    attachments: attachments.shown,
    now,
  })
  const {
    message,
    writes: mailWrites,
    expects,
  } = await queueReply(ctx, {
    message: finish(writer ? { ...created, sender: customerSender(writer) } : created),
    conversation,
    customer,
    body,
  })
  const reopened = isReopening ? reopenedBy(message, { before, now }) : undefined
  const shown = {
    ...(reopened?.conversation ?? conversation),
    ...messageFacts(before, message),
  }
  // Created before the events of the reopening, so that the order of the ids is the order of the events.
  const event = messageEvent({
    message,
    conversation: shown,
    customer,
    isAuthorRestricted,
    nextEventId: () => ids.next('evt'),
    now,
  })
  const by = byCustomer(message.sender._id)
  const reopening = reopened && (await conversationChange(ctx, { before, ...reopened, by })).change
  const writes: Write[] = [
    { op: 'insert', kind: 'messages', row: message },
    ...mailWrites.map((write) => withWait(write, before)),
    ...attachments.writesFor(message._id),
    ...(reopening?.writes ?? []),
    countingWrite(before, message, {
      ...added.when,
      mergedInto: null,
      ...(reopening === undefined && message.direction === 'inbound' && { status: before.status }),
      ...(added.isSeqGuarded && { seq: before.seq ?? null }),
    }),
  ]
  const events = [event, ...(reopening?.events ?? [])]
  const change = { writes: withContact(writes, writer ?? customer, message), events, ...expects }
  return { change, message, conversation: shown }
}

/** The reply may fail, or be taken back: then the customer waits as before. */
function withWait(write: Write, { seq = 0, waitingSince }: Conversation): Write {
  if (write.op !== 'insert' || write.kind !== 'mailSends') return write
  return { ...write, row: { ...write.row, waitedSince: waitingSince, waitedSeq: seq + 1 } }
}

/** Returns the conversation as an inbound message reopens it; undefined for any other message. */
function reopenedBy(message: Message, { before, now }: { before: Stored<Conversation>; now: string }) {
  if (message.direction !== 'inbound' || !isReopenedByInbound(before)) return undefined
  // The message is counted here: the event shows the conversation as it is after this commit.
  const counted = { ...withoutVersion(before), ...conversationAfterMessage(before, message) }
  return reopenedConversation(counted, now)
}

/**
 * Counts the message without changing the conversation's version, so that messages to one conversation at the same
 * moment do not conflict, unless `when` holds fields that must still be as they were read. An inbound message requires
 * the status that it read: it would have to reopen the conversation in another one.
 */
function countingWrite(
  before: AddedMessage['before'],
  message: Message,
  when: Partial<ConversationRecord>,
): Write {
  const after = conversationAfterMessage(before, message)
  const isReply = message.type === 'reply'
  // Of two at once the later commit decides: a reply ends the wait, and a message that opens a closed conversation begins one.
  const isBegun = isReply && (isAnswer(message) || (before.status === 'closed' && asksForReply(message)))
  const set = { ...visitorDoorAfter(before, message), ...(isBegun && { waitingSince: after.waitingSince }) }
  return {
    op: 'patch',
    kind: 'conversations',
    id: before._id,
    increment: { messageCount: after.messageCount - before.messageCount, seq: 1 },
    max: {
      updatedAt: message.createdAt,
      ...(isReply && asksForReply(message) && { lastCustomerMessageAt: message.createdAt }),
    },
    ...(isReply && { newest: { by: ['lastMessageAt', 'lastMessageId'], set: lastMessageFields(message) } }),
    ...(Object.keys(set).length > 0 && { set }),
    setIfNull: {
      ...(before.firstResponseAt === null && { firstResponseAt: after.firstResponseAt }),
      ...(isReply && asksForReply(message) && !isBegun && { waitingSince: message.createdAt }),
    },
    when,
  }
}

/** A visitor who replies by mail is replied to by mail, until they write in the chat again. A mail of somebody else says nothing. */
function visitorDoorAfter(
  { visitorId = null, customerId }: AddedMessage['before'],
  { direction, sender, email }: Message,
): Pick<ConversationRecord, 'visitorDoor'> {
  if (visitorId === null || direction !== 'inbound') return {}
  if (email === null) return { visitorDoor: null }
  const isTheirs = sender._id !== null && sender._id === customerId && email.verified !== false
  return isTheirs ? { visitorDoor: 'email' } : {}
}

/** Returns the fields of the conversation that an event has after its message. */
function messageFacts(before: Conversation, message: Message) {
  const { seq, lastMessageAt, lastMessage, lastCustomerMessageAt, waitingSince } = conversationAfterMessage(
    before,
    message,
  )
  return { seq, lastMessageAt, lastMessage, lastCustomerMessageAt, waitingSince }
}

import {
  type Conversation,
  type Message,
  readSeqOf,
  shownWaitingSince,
  type Unread,
  unreadCount,
} from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { LiveSignal } from '../../ports/live.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { rowsShownIn } from '../../shared/merged-conversation.ts'
import { type ConversationRead, conversationReadId } from '../../storage/kinds/conversation-reads.ts'
import type { Stored } from '../../storage/records.ts'
import type { HandlerContext } from '../handler.ts'
import { mentionReadWrites } from './mentions.ts'

type Reader = Pick<HandlerContext, 'store' | 'actor'>

/** How far a user has read a conversation. */
export interface ReadState {
  row: Stored<ConversationRead> | undefined
  readSeq: number
}

function findRow(store: TenantReads, of: { userId: string; conversationId: string }) {
  return store.conversationReads.find(conversationReadId(of))
}

/** Returns how far the caller has read a conversation; undefined for an API key. */
export async function findReadState(
  { store, actor }: Reader,
  conversation: Conversation,
): Promise<ReadState | undefined> {
  if (actor.type !== 'user') return undefined
  const row = await findRow(store, { userId: actor._id, conversationId: conversation._id })
  return {
    row,
    readSeq: readSeqOf(conversation, { readSeq: row?.readSeq, userCreatedAt: actor.user.createdAt }),
  }
}

/** Returns the conversation with the number of messages that the caller has not read. Lists do not name the first one. */
export async function withUnread<C extends Conversation>(
  reader: Reader,
  conversation: C,
): Promise<C & { unread: Unread | null }> {
  const state = await findReadState(reader, conversation)
  return {
    ...conversation,
    waitingSince: shownWaitingSince(conversation),
    unread: state ? { count: unreadCount(conversation, state.readSeq), firstMessageId: null } : null,
  }
}

/** Returns what of a conversation is unread after `readSeq`, with the id of the first such message. */
export async function unreadAfter(
  store: TenantReads,
  conversation: Conversation,
  readSeq: number,
): Promise<Unread> {
  const count = unreadCount(conversation, readSeq)
  if (count === 0) return { count, firstMessageId: null }
  const newest = { ...rowsShownIn(conversation), sort: '-createdAt', limit: 1 } as const
  const { rows } = await store.messages.listRows({ ...newest, page: count })
  return { count, firstMessageId: rows[0]?._id ?? null }
}

interface Mark {
  userId: string
  conversation: Pick<Conversation, '_id' | 'tenantId'>
  row: ReadState['row']
  readSeq: number
  now: string
}

/** Returns the writes that store how far a user has read. They conflict with the deletion of the conversation. */
export function readWrites({ userId, conversation, row, readSeq, now }: Mark): Write[] {
  if (row !== undefined) {
    const { _id: id, version: expectVersion } = row
    return [{ op: 'update', kind: 'conversationReads', id, expectVersion, set: { readSeq, updatedAt: now } }]
  }
  return [
    { op: 'patch', kind: 'conversations', id: conversation._id },
    firstReadWrite({ userId, conversation, readSeq, now }),
  ]
}

/** Returns the write that stores how far a user has read a conversation of which the user has read nothing before. */
export function firstReadWrite({ userId, conversation, readSeq, now }: Omit<Mark, 'row'>): Write {
  const { _id: conversationId, tenantId } = conversation
  const _id = conversationReadId({ userId, conversationId })
  const row = { _id, tenantId, conversationId, userId, readSeq, createdAt: now, updatedAt: now }
  return { op: 'insert', kind: 'conversationReads', row }
}

/** Returns the writes for a user who has just written a message: they have read all up to it. None for an API key. */
export async function authorReadWrites(
  { store, actor, now }: Reader & Pick<HandlerContext, 'now'>,
  conversation: Conversation,
): Promise<Write[]> {
  if (actor.type !== 'user') return []
  const { _id: conversationId, seq: readSeq = 0 } = conversation
  const of = { userId: actor._id, conversationId }
  const [row, mentions] = await Promise.all([
    findRow(store, of),
    mentionReadWrites(store, { ...of, seenSeq: readSeq, now }),
  ])
  if (row !== undefined && row.readSeq >= readSeq) return mentions
  return [...mentions, ...readWrites({ userId: actor._id, conversation, row, readSeq, now })]
}

interface ReadReport {
  userId: string
  conversationId: string
  seq: number
  unread: Unread
}

/** Returns the signal for the other windows of the user. */
export function readSignal({ userId, conversationId, seq, unread: { count } }: ReadReport): LiveSignal {
  return { event: 'conversation.read', userId, data: { conversationId, seq, unread: { count } } }
}

/**
 * Returns the signal that a user has read the message that they have just entered for a customer: its event names the
 * customer as the sender. None for a reply, whose event names the user, and for an API key.
 */
export function enteredSignals(
  { actor }: Pick<Reader, 'actor'>,
  { _id: conversationId, seq }: Pick<Conversation, '_id' | 'seq'>,
  { direction }: Pick<Message, 'direction'>,
): LiveSignal[] {
  if (actor.type !== 'user' || direction !== 'inbound') return []
  return [readSignal({ userId: actor._id, conversationId, seq, unread: { count: 0, firstMessageId: null } })]
}

import {
  type DomainEvent,
  foldedFacts,
  foldedMessagesMax,
  type IdFactory,
  isAnswer,
  type Message,
  messageUpdatedEvent,
} from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { TenantReads } from '../ports/storage.ts'
import type { ConversationRecord } from '../storage/kinds/conversations.ts'
import type { Stored } from '../storage/records.ts'
import { customerOfRecord } from './customer-of-record.ts'

interface StatusChange {
  before: Message
  message: Message
}

/**
 * Returns the event of another status of a message, whoever reports it: the sending of mail, a bounce, or a program that
 * delivers by itself. A reply that has failed ends no wait, so the customer waits again. Nothing when the conversation was
 * deleted.
 */
export async function messageStatusChange(
  { store, ids, now }: { store: TenantReads; ids: IdFactory; now: string },
  { before, message }: StatusChange,
): Promise<{ writes: Write[]; events: DomainEvent[] }> {
  const conversation = await store.conversations.find(message.conversationId)
  if (conversation === undefined) return { writes: [], events: [] }
  const customer =
    conversation.customerId === null ? undefined : await store.customers.find(conversation.customerId)
  const waitingSince = await waitingSinceAfter(store, conversation, { before, message })
  const parts = {
    message,
    conversation: { ...conversation, waitingSince },
    customer: customer ? customerOfRecord(customer) : null,
    isAuthorRestricted: await isAuthorRestricted(store, message.sender),
    nextEventId: () => ids.next('evt'),
    now,
  }
  const { _id: id, seq } = conversation
  return {
    writes:
      waitingSince === conversation.waitingSince
        ? []
        : [{ op: 'patch', kind: 'conversations', id, set: { waitingSince }, when: { seq } }],
    events: [messageUpdatedEvent(parts, { status: { from: before.status, to: message.status } })],
  }
}

async function waitingSinceAfter(
  store: TenantReads,
  conversation: Stored<ConversationRecord>,
  { before, message }: StatusChange,
): Promise<string | null> {
  const isAnswerNow = isAnswer(message)
  if (isAnswer(before) === isAnswerNow || message.type !== 'reply') return conversation.waitingSince
  const send = await store.mailSends.find(message._id)
  // Nobody has written since: what the reply has ended goes on.
  if (send?.waitedSeq !== undefined && send.waitedSeq === conversation.seq)
    return isAnswerNow ? null : (send.waitedSince ?? null)
  const newest = await newestMessages(store, conversation._id)
  return foldedFacts(
    conversation,
    newest.map((row) => (row._id === message._id ? message : row)),
  ).waitingSince
}

/** Returns the messages of which the facts of a conversation are folded again, the newest first. */
export async function newestMessages(store: TenantReads, conversationId: string) {
  const newest = { conversationId, sort: '-createdAt', page: 1, limit: foldedMessagesMax } as const
  return (await store.messages.listRows(newest)).rows
}

/** The author, not the caller: whoever changes the status, the event names nobody who has restricted their data. */
export async function isAuthorRestricted(
  store: TenantReads,
  { type, _id }: Message['sender'],
): Promise<boolean> {
  const author = type === 'user' && _id !== null ? await store.users.find(_id) : undefined
  return author?.processingRestricted ?? false
}

import {
  type Conversation,
  conversationAfterMessage,
  type createMessage,
  isReopenedByInbound,
  type Message,
  messageEvent,
  newMessage,
  notFound,
  reopenedConversation,
} from '@crmkit/core'
import type { Handler, HandlerContext } from '../../handler.ts'
import { type Stored, withoutVersion } from '../../ports/records.ts'
import type { Change, Write } from '../../ports/storage.ts'
import { authorOf } from '../../shared/author.ts'
import { conversationChange } from '../../shared/change-conversation.ts'
import { findCustomerOf } from '../../shared/conversation-references.ts'
import { withSafeContent } from '../../shared/message-content.ts'

export const handleCreateMessage: Handler<typeof createMessage> = async (ctx, { params, body }) => {
  const { store, ids, now, actor } = ctx
  const safeBody = withSafeContent(body)
  const before = await store.conversations.find(params.id)
  if (before === undefined) throw notFound()
  if (body.clientMessageId) {
    const first = await store.messages.findByClientMessageId(before._id, body.clientMessageId)
    if (first) return { status: 200, reply: { success: true, data: first } }
  }
  const customer = await findCustomerOf(store, before.customerId)
  const conversation = withoutVersion(before)
  const author = authorOf(actor)
  const message = newMessage(safeBody, {
    id: ids.next('msg'),
    conversation,
    customer,
    author,
    now,
  })
  const reopening = await reopeningOf(ctx, before, message)
  const shown = reopening?.conversation ?? conversation
  const event = messageEvent({
    message,
    conversation: shown,
    customer,
    nextEventId: () => ids.next('evt'),
    now,
  })
  const writes: Write[] = [
    { op: 'insert', kind: 'messages', row: message },
    ...(reopening?.change.writes ?? []),
  ]
  writes.push(countingWrite(before, message, reopening === undefined))
  return {
    change: { writes, events: [...(event ? [event] : []), ...(reopening?.change.events ?? [])] },
    reply: { success: true, data: message },
  }
}

/** What an inbound message does to a conversation that is not open. */
async function reopeningOf(
  ctx: HandlerContext,
  before: Stored<Conversation>,
  message: Message,
): Promise<{ conversation: Conversation; change: Change } | undefined> {
  if (message.direction !== 'inbound' || !isReopenedByInbound(before)) return undefined
  // With the message counted: the event shows the conversation as this commit leaves it.
  const counted = { ...withoutVersion(before), ...conversationAfterMessage(before, message) }
  const reopened = reopenedConversation(counted, ctx.now)
  const { change } = await conversationChange(ctx, { before, ...reopened })
  return change && { conversation: reopened.conversation, change }
}

/**
 * Counts the message without touching the conversation's version: many may write in one conversation at
 * once and none may lose. An inbound message counts on the status it saw, because another one would be
 * one to reopen.
 */
function countingWrite(before: Conversation, message: Message, isGuarded: boolean): Write {
  const after = conversationAfterMessage(before, message)
  const guard = isGuarded && message.direction === 'inbound' ? { when: { status: before.status } } : {}
  return {
    op: 'patch',
    kind: 'conversations',
    id: before._id,
    increment: { messageCount: after.messageCount - before.messageCount },
    max: { updatedAt: message.createdAt, ...(after.lastMessageAt && { lastMessageAt: after.lastMessageAt }) },
    setIfNull: { firstResponseAt: after.firstResponseAt },
    ...guard,
  }
}

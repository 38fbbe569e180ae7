import { notFound, type readConversation } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { Stored } from '../../storage/records.ts'
import { userOf } from '../caller.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { mentionReadWrites } from './mentions.ts'
import { findReadState, readSignal, readWrites, unreadAfter } from './read-state.ts'

export const handleReadConversation: Handler<typeof readConversation> = async (ctx, { params, body }) => {
  const conversation = await ctx.store.conversations.find(params.id)
  if (conversation === undefined) throw notFound()
  const { read, ...outcome } = await markRead(ctx, conversation, body.seq)
  return { reply: { success: true, data: read }, ...outcome }
}

/** Marks a conversation as read by the caller, up to `upTo` and at most to its end. */
export async function markRead(
  ctx: HandlerContext,
  conversation: Stored<ConversationRecord>,
  upTo: number | null | undefined,
) {
  const { store, now } = ctx
  const { _id: userId } = userOf(ctx)
  const { _id: id, version, seq = 0, readAt } = conversation
  const before = await findReadState(ctx, conversation)
  const seenSeq = Math.min(upTo ?? seq, seq)
  const readSeq = Math.max(seenSeq, before?.readSeq ?? 0)
  const writes: Write[] = await mentionReadWrites(store, { userId, conversationId: id, seenSeq, now })
  // A user who has read a target to its end has read what was merged into it.
  for (const conversationId of seenSeq < seq ? [] : (conversation.mergedFrom ?? []))
    writes.push(...(await mentionReadWrites(store, { userId, conversationId, now })))
  if (before?.row?.readSeq !== readSeq)
    writes.push(...readWrites({ userId, conversation, row: before?.row, readSeq, now }))
  // No other field, and so no event: who has read something is no change of it.
  if (readAt.agent === null) {
    const set = { readAt: { ...readAt, agent: now } }
    writes.push({ op: 'update', kind: 'conversations', id, expectVersion: version, set })
  }
  const unread = await unreadAfter(store, conversation, readSeq)
  return {
    read: { conversationId: id, seq: readSeq, unread },
    live: [readSignal({ userId, conversationId: id, seq: readSeq, unread })],
    ...(writes.length > 0 && { change: { writes, events: [] } }),
  }
}

import { notFound, type readConversation } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import { userOf } from '../caller.ts'
import type { Handler } from '../handler.ts'
import { findReadState, readSignal, readWrites, unreadAfter } from './read-state.ts'

export const handleReadConversation: Handler<typeof readConversation> = async (ctx, { params, body }) => {
  const { store, now } = ctx
  const { _id: userId } = userOf(ctx)
  const conversation = await store.conversations.find(params.id)
  if (conversation === undefined) throw notFound()
  const { _id: id, version, seq = 0, readAt } = conversation
  const before = await findReadState(ctx, conversation)
  const readSeq = Math.max(Math.min(body.seq ?? seq, seq), before?.readSeq ?? 0)
  const writes: Write[] = []
  if (before?.row?.readSeq !== readSeq)
    writes.push(...readWrites({ userId, conversation, row: before?.row, readSeq, now }))
  // No other field, and so no event: who has read something is no change of it.
  if (readAt.agent === null) {
    const set = { readAt: { ...readAt, agent: now } }
    writes.push({ op: 'update', kind: 'conversations', id, expectVersion: version, set })
  }
  const unread = await unreadAfter(store, conversation, readSeq)
  return {
    reply: { success: true, data: { conversationId: id, seq: readSeq, unread } },
    live: [readSignal({ userId, conversationId: id, seq: readSeq, unread })],
    ...(writes.length > 0 && { change: { writes, events: [] } }),
  }
}

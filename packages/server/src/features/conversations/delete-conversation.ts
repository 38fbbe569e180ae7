import { type deleteConversation, makeEvent, notFound } from '@crmkit/core'
import type { Handler } from '../handler.ts'

export const handleDeleteConversation: Handler<typeof deleteConversation> = async (
  ctx,
  { params: { id }, body },
) => {
  const { store, ids, now } = ctx
  if ((await store.conversations.find(id)) === undefined) throw notFound()
  const event = makeEvent({
    id: ids.next('evt'),
    type: 'conversation.deleted',
    now,
    subjects: [id],
    data: { _id: id },
  })
  return {
    change: { writes: [{ op: 'erase', kind: 'conversations', id, at: now }], events: [event] },
    audit: {
      action: 'conversation.deleted',
      target: { type: 'conversation', _id: id },
      reason: body.reason ?? null,
    },
    reply: { success: true, message: 'Conversation deleted' },
  }
}

import { type deleteConversation, makeEvent, notFound } from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import { assertNotMerged } from '../../shared/merged-conversation.ts'
import type { Handler, HandlerContext } from '../handler.ts'

/** Returns the change that erases a conversation. */
export function conversationErasure({ ids, now }: Pick<HandlerContext, 'ids' | 'now'>, id: string): Change {
  const event = makeEvent({
    id: ids.next('evt'),
    type: 'conversation.deleted',
    now,
    subjects: [id],
    data: { _id: id },
  })
  return { writes: [{ op: 'erase', kind: 'conversations', id, at: now }], events: [event] }
}

export const handleDeleteConversation: Handler<typeof deleteConversation> = async (
  ctx,
  { params: { id }, body },
) => {
  const conversation = await ctx.store.conversations.find(id)
  if (conversation === undefined) throw notFound()
  assertNotMerged(conversation)
  const erasures = [id, ...(conversation.mergedFrom ?? [])].map((one) => conversationErasure(ctx, one))
  return {
    change: {
      // A merge at this moment conflicts with the deletion.
      writes: [
        { op: 'patch', kind: 'conversations', id, expectVersion: conversation.version },
        ...erasures.flatMap(({ writes }) => writes),
      ],
      events: erasures.flatMap(({ events }) => events),
    },
    audit: {
      action: 'conversation.deleted',
      target: { type: 'conversation', _id: id },
      reason: body.reason ?? null,
    },
    reply: { success: true, message: 'Conversation deleted' },
  }
}

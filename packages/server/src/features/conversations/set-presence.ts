import { notFound, type setPresence } from '@crmkit/core'
import { userOf } from '../caller.ts'
import type { Handler } from '../handler.ts'
import { markRead } from './read-conversation.ts'

export const handleSetPresence: Handler<typeof setPresence> = async (ctx, { params, body }) => {
  const { tenantId, store, services } = ctx
  const { _id: userId } = userOf(ctx)
  const conversation = await store.conversations.find(params.id)
  if (conversation === undefined) throw notFound()
  const { state, readSeq } = body
  const [present, marked] = await Promise.all([
    services.presence.listPresent({ tenantId, conversationId: conversation._id }),
    readSeq === undefined ? undefined : markRead(ctx, conversation, readSeq),
  ])
  const data = present.filter(({ user }) => user._id !== userId)
  const { read, ...outcome } = marked ?? {}
  return {
    ...outcome,
    presence: { conversationId: conversation._id, state },
    reply: { success: true, data, ...(read && { read }) },
  }
}

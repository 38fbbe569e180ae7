import { notFound, type setPresence } from '@crmkit/core'
import { userOf } from '../caller.ts'
import type { Handler } from '../handler.ts'

export const handleSetPresence: Handler<typeof setPresence> = async (ctx, { params, body }) => {
  const { tenantId, store, services } = ctx
  const { _id: userId } = userOf(ctx)
  const conversation = await store.conversations.find(params.id)
  if (conversation === undefined) throw notFound()
  const present = await services.presence.listPresent({ tenantId, conversationId: conversation._id })
  return {
    presence: { conversationId: conversation._id, state: body.state },
    reply: { success: true, data: present.filter(({ user }) => user._id !== userId) },
  }
}

import type { setWidgetTyping } from '@crmkit/core'
import type { Handler } from '../handler.ts'
import { showConversation } from './show-to-visitor.ts'
import { assertNotBlocked, getConversation } from './visitor-rows.ts'

export const handleSetWidgetTyping: Handler<typeof setWidgetTyping> = async (
  { store, actor },
  { params, body },
) => {
  const conversation = await getConversation(store, actor, params.id)
  await assertNotBlocked(store, actor.session, conversation)
  const { _id: conversationId, customerId } = conversation
  return {
    live: [{ event: 'typing', data: { conversationId, isTyping: body.isTyping, customerId } }],
    reply: { success: true, data: await showConversation(store, conversation) },
  }
}

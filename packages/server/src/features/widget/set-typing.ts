import type { setWidgetTyping } from '@crmkit/core'
import type { Handler } from '../handler.ts'
import { showConversation } from './show-to-visitor.ts'
import { getConversation } from './visitor-rows.ts'

export const handleSetWidgetTyping: Handler<typeof setWidgetTyping> = async (
  { store, actor },
  { params, body },
) => {
  const conversation = await getConversation(store, actor, params.id)
  return {
    typing: { conversationId: conversation._id, isTyping: body.isTyping },
    reply: { success: true, data: await showConversation(store, conversation) },
  }
}

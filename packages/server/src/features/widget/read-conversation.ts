import { changesBetween, type readWidgetConversation } from '@crmkit/core'
import { byCustomer } from '../../shared/conversation-log.ts'
import { withoutVersion } from '../../storage/records.ts'
import { conversationChange } from '../conversations/change-conversation.ts'
import type { Handler } from '../handler.ts'
import { showConversation } from './show-to-visitor.ts'
import { getConversation } from './visitor-rows.ts'

export const handleReadWidgetConversation: Handler<typeof readWidgetConversation> = async (
  ctx,
  { params },
) => {
  const { store, actor, now } = ctx
  const before = await getConversation(store, actor, params.id)
  const { lastMessageAt, readAt } = before
  // Each page view would otherwise be an event, and a call of every webhook.
  const isNew = readAt.customer === null || (lastMessageAt !== null && lastMessageAt > readAt.customer)
  if (!isNew) return { reply: { success: true, data: await showConversation(store, before) } }
  // Not `updatedAt`: reading must not move the conversation to the top of the team's list.
  const conversation = { ...withoutVersion(before), readAt: { ...readAt, customer: now } }
  const changes = changesBetween(withoutVersion(before), conversation)
  const by = byCustomer(before.customerId)
  const { change } = await conversationChange(ctx, { before, conversation, changes, by })
  const data = { ...(await showConversation(store, conversation)), unreadCount: 0 }
  return { reply: { success: true, data }, ...(change && { change }) }
}

import { changesBetween, type rateWidgetConversation } from '@crmkit/core'
import { byCustomer } from '../../shared/conversation-log.ts'
import { withoutVersion } from '../../storage/records.ts'
import { conversationChange } from '../conversations/change-conversation.ts'
import type { Handler } from '../handler.ts'
import { showConversation } from './show-to-visitor.ts'
import { assertNotBlocked, getConversation } from './visitor-rows.ts'

export const handleRateWidgetConversation: Handler<typeof rateWidgetConversation> = async (
  ctx,
  { params, body },
) => {
  const { store, actor, now } = ctx
  const before = await getConversation(store, actor, params.id)
  await assertNotBlocked(store, actor.session, before)
  const rating = { score: body.rating, comment: body.comment ?? null, at: now }
  const conversation = { ...withoutVersion(before), rating, updatedAt: now }
  const changes = changesBetween(withoutVersion(before), conversation)
  const by = byCustomer(before.customerId)
  const { change } = await conversationChange(ctx, { before, conversation, changes, by })
  const data = await showConversation(store, conversation)
  return { reply: { success: true, data }, ...(change && { change }) }
}

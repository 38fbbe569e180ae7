import { assertNamedSnooze, notFound, type updateConversation, updatedConversation } from '@crmkit/core'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'
import { conversationChange } from './change-conversation.ts'
import { assertReferences, customerGuard } from './conversation-references.ts'
import { withUnread } from './read-state.ts'

export const handleUpdateConversation: Handler<typeof updateConversation> = async (ctx, { params, body }) => {
  assertNamedSnooze(body, ctx.now)
  const before = await ctx.store.conversations.find(params.id)
  if (before === undefined) throw notFound()
  await assertReferences(ctx.store, body)
  const changed = updatedConversation(withoutVersion(before), body, ctx.now)
  const { change, conversation } = await conversationChange(ctx, { before, ...changed })
  change?.writes.push(...customerGuard(body.customerId))
  const data = await withUnread(ctx, conversation)
  return { reply: { success: true, data }, ...(change && { change }) }
}

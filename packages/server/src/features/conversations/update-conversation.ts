import { assertNamedSnooze, type updateConversation } from '@crmkit/core'
import type { Handler } from '../handler.ts'
import { conversationUpdate, findExpected } from './change-conversation.ts'
import { assertReferences, customerGuard } from './conversation-references.ts'
import { withUnread } from './read-state.ts'

export const handleUpdateConversation: Handler<typeof updateConversation> = async (ctx, { params, body }) => {
  assertNamedSnooze(body, ctx.now)
  const before = await findExpected(ctx.store, params.id, body.expected)
  await assertReferences(ctx.store, body)
  const { change, conversation } = await conversationUpdate(ctx, before, body)
  change?.writes.push(...customerGuard(body.customerId))
  const data = await withUnread(ctx, conversation)
  return { reply: { success: true, data }, ...(change && { change }) }
}

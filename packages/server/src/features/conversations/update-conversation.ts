import {
  assertNamedSnooze,
  type Conversation,
  conflict,
  type ExpectedConversation,
  notFound,
  type updateConversation,
  updatedConversation,
} from '@crmkit/core'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'
import { authorOf } from './author.ts'
import { conversationChange } from './change-conversation.ts'
import { assertReferences, customerGuard } from './conversation-references.ts'
import { withUnread } from './read-state.ts'

export const handleUpdateConversation: Handler<typeof updateConversation> = async (ctx, { params, body }) => {
  assertNamedSnooze(body, ctx.now)
  const before = await ctx.store.conversations.find(params.id)
  if (before === undefined) throw notFound()
  assertExpected(before, body.expected ?? {})
  await assertReferences(ctx.store, body)
  const changed = updatedConversation(withoutVersion(before), body, ctx.now)
  const { change, conversation } = await conversationChange(ctx, {
    before,
    ...changed,
    by: authorOf(ctx.actor),
  })
  change?.writes.push(...customerGuard(body.customerId))
  const data = await withUnread(ctx, conversation)
  return { reply: { success: true, data }, ...(change && { change }) }
}

/** Values and not a version are compared, so that a label that somebody adds in the meantime stops nobody. */
function assertExpected(conversation: Conversation, expected: ExpectedConversation): void {
  const changed = Object.entries(expected).flatMap(([field, value]) => {
    const actual: unknown = Reflect.get(conversation, field)
    return actual === value ? [] : [[field, { expected: value, actual }]]
  })
  if (changed.length > 0)
    throw conflict('Somebody else has changed the conversation in the meantime', {
      changed: Object.fromEntries(changed),
    })
}

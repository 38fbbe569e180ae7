import type { listConversations } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'
import { userIdOf } from '../signed-in-user.ts'

export const handleListConversations: Handler<typeof listConversations> = async (ctx, { query }) => {
  const assignedTo = userIdOf(ctx, { field: 'assignedTo', value: query.assignedTo })
  return { reply: pageReply(await ctx.store.conversations.list({ ...query, assignedTo }), query) }
}

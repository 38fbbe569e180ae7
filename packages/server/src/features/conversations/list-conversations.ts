import type { listConversations } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'
import { userIdOf } from '../signed-in-user.ts'
import { withUnread } from './read-state.ts'

export const handleListConversations: Handler<typeof listConversations> = async (ctx, { query }) => {
  const assignedTo = userIdOf(ctx, { field: 'assignedTo', value: query.assignedTo })
  const page = await ctx.store.conversations.list({ ...query, assignedTo })
  // Reads by id, all in one tick: MongoDB gets them as one command.
  const rows = await Promise.all(page.rows.map((row) => withUnread(ctx, row)))
  return { reply: pageReply({ ...page, rows }, query) }
}

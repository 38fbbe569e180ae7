import { type getInbox, type listInboxes, notFound } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'
import { showInbox } from './show-inbox.ts'

export const handleListInboxes: Handler<typeof listInboxes> = async (ctx, { query }) => {
  const page = await ctx.store.inboxes.list(query)
  const rows = await Promise.all(page.rows.map((row) => showInbox(ctx, row)))
  return { reply: pageReply({ ...page, rows }, query) }
}

export const handleGetInbox: Handler<typeof getInbox> = async (ctx, { params }) => {
  const inbox = await ctx.store.inboxes.find(params.id)
  if (inbox === undefined) throw notFound()
  return { reply: { success: true, data: await showInbox(ctx, inbox) } }
}

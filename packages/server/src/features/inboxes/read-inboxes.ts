import { type getInbox, type listInboxes, notFound } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'
import { showInbox } from './show-inbox.ts'

export const handleListInboxes: Handler<typeof listInboxes> = async ({ store, now }, { query }) => {
  const page = await store.inboxes.list(query)
  return { reply: pageReply({ ...page, rows: page.rows.map((row) => showInbox(row, now)) }, query) }
}

export const handleGetInbox: Handler<typeof getInbox> = async ({ store, now }, { params }) => {
  const inbox = await store.inboxes.find(params.id)
  if (inbox === undefined) throw notFound()
  return { reply: { success: true, data: showInbox(inbox, now) } }
}

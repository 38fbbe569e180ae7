import { type getInbox, type listInboxes, notFound } from '@crmkit/core'
import type { Handler } from '../../handler.ts'
import { pageReply } from '../../shared/reply-page.ts'

export const handleListInboxes: Handler<typeof listInboxes> = async ({ store }, { query }) => ({
  reply: pageReply(await store.inboxes.list(query), query),
})

export const handleGetInbox: Handler<typeof getInbox> = async ({ store }, { params }) => {
  const inbox = await store.inboxes.find(params.id)
  if (inbox === undefined) throw notFound()
  return { reply: { success: true, data: inbox } }
}

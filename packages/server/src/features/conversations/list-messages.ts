import { type listMessages, notFound, shownMessage } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'

export const handleListMessages: Handler<typeof listMessages> = async ({ store }, { params, query }) => {
  const { order, ...paging } = query
  const sort = order === 'desc' ? '-createdAt' : 'createdAt'
  // The page comes first: an invalid cursor is reported before an unknown conversation.
  const page = await store.messages.list({ ...paging, sort, conversationId: params.id })
  if ((await store.conversations.find(params.id)) === undefined) throw notFound()
  return { reply: pageReply({ ...page, rows: page.rows.map(shownMessage) }, query) }
}

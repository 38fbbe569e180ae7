import {
  type getMessage,
  type listMailAttempts,
  type listMessages,
  notFound,
  shownMessage,
} from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'

export const handleGetMessage: Handler<typeof getMessage> = async ({ store }, { params }) => {
  const message = await store.messages.find(params.id)
  if (message === undefined) throw notFound()
  return { reply: { success: true, data: shownMessage(message) } }
}

export const handleListMessages: Handler<typeof listMessages> = async ({ store }, { params, query }) => {
  const { order, ...paging } = query
  const sort = order === 'desc' ? '-createdAt' : 'createdAt'
  // The page comes first: an invalid cursor is reported before an unknown conversation.
  const page = await store.messages.list({ ...paging, sort, conversationId: params.id })
  if ((await store.conversations.find(params.id)) === undefined) throw notFound()
  return { reply: pageReply({ ...page, rows: page.rows.map(shownMessage) }, query) }
}

export const handleListMailAttempts: Handler<typeof listMailAttempts> = async ({ store }, { params }) => {
  const [message, send] = await Promise.all([store.messages.find(params.id), store.mailSends.find(params.id)])
  if (message === undefined) throw notFound()
  return { reply: { success: true, data: send?.attempts ?? [] } }
}

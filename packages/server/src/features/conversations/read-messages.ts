import {
  type getMessage,
  type listMailAttempts,
  type listMessages,
  notFound,
  type PageRequest,
  shownMessage,
} from '@crmkit/core'
import { rowsShownIn } from '../../shared/merged-conversation.ts'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler, HandlerContext } from '../handler.ts'

export const handleGetMessage: Handler<typeof getMessage> = async ({ store }, { params }) => {
  const message = await store.messages.find(params.id)
  if (message === undefined) throw notFound()
  return { reply: { success: true, data: shownMessage(message) } }
}

export const handleListMessages: Handler<typeof listMessages> = async (ctx, { params, query }) => {
  const conversation = await ctx.store.conversations.find(params.id)
  // The page comes first: an invalid cursor is reported before an unknown conversation.
  const page = await messagesPage(ctx, conversation ?? { _id: params.id }, query)
  if (conversation === undefined) throw notFound()
  return { reply: pageReply(page, query) }
}

type Shown = Parameters<typeof rowsShownIn>[0]

/** Returns messages of a conversation as the API shows them. */
export async function messagesPage(
  { store }: Pick<HandlerContext, 'store'>,
  conversation: Shown,
  { order, ...paging }: PageRequest & { order: 'asc' | 'desc' },
) {
  const sort = order === 'desc' ? '-createdAt' : 'createdAt'
  const page = await store.messages.list({ ...paging, sort, ...rowsShownIn(conversation) })
  return { ...page, rows: page.rows.map(shownMessage) }
}

export const handleListMailAttempts: Handler<typeof listMailAttempts> = async ({ store }, { params }) => {
  const [message, send] = await Promise.all([store.messages.find(params.id), store.mailSends.find(params.id)])
  if (message === undefined) throw notFound()
  return { reply: { success: true, data: send?.attempts ?? [] } }
}

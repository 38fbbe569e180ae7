import { type listMessages, notFound } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'

export const handleListMessages: Handler<typeof listMessages> = async ({ store }, { params, query }) => {
  // First the page: a cursor that is made up is told before a conversation that is unknown.
  const page = await store.messages.list({ ...query, conversationId: params.id })
  if ((await store.conversations.find(params.id)) === undefined) throw notFound()
  return { reply: pageReply(page, query) }
}

import { type listMessages, notFound } from '@crmkit/core'
import type { Handler } from '../../handler.ts'
import { pageReply } from '../../shared/reply-page.ts'

export const handleListMessages: Handler<typeof listMessages> = async ({ store }, { params, query }) => {
  if ((await store.conversations.find(params.id)) === undefined) throw notFound()
  return { reply: pageReply(await store.messages.list({ ...query, conversationId: params.id }), query) }
}

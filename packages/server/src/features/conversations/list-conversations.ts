import type { listConversations } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'

export const handleListConversations: Handler<typeof listConversations> = async ({ store }, { query }) => ({
  reply: pageReply(await store.conversations.list(query), query),
})

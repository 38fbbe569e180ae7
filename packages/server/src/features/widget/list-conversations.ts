import type { listWidgetConversations } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'
import { showConversation } from './show-to-visitor.ts'

export const handleListWidgetConversations: Handler<typeof listWidgetConversations> = async (
  { store, actor },
  { query },
) => {
  const { visitorId } = actor.session
  const page = await store.conversations.list({ ...query, visitorId, sort: '-updatedAt' })
  const rows = await Promise.all(page.rows.map((row) => showConversation(store, row)))
  return { reply: pageReply({ ...page, rows }, query) }
}

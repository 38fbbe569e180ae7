import { type listDrafts, notFound } from '@crmkit/core'
import { pageReply } from '../../../shared/reply-page.ts'
import type { Handler } from '../../handler.ts'
import { shownDraft } from './find-draft.ts'

export const handleListDrafts: Handler<typeof listDrafts> = async ({ store, actor }, { params, query }) => {
  // The page comes first: an invalid cursor is reported before an unknown conversation.
  const page = await store.drafts.list({ ...query, conversationId: params.id })
  if ((await store.conversations.find(params.id)) === undefined) throw notFound()
  return { reply: pageReply({ ...page, rows: page.rows.map((row) => shownDraft(row, actor)) }, query) }
}

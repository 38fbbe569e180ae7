import type { listOwnDrafts } from '@crmkit/core'
import { pageReply } from '../../../shared/reply-page.ts'
import { userOf } from '../../caller.ts'
import type { Handler, HandlerContext } from '../../handler.ts'
import { findShownCustomer } from '../conversation-references.ts'
import { type DraftRow, shownDraft } from './find-draft.ts'

export const handleListOwnDrafts: Handler<typeof listOwnDrafts> = async (ctx, { query }) => {
  const { state, ...paging } = query
  const { _id } = userOf(ctx).user
  const of = state === 'unsent' ? { unsentOf: _id } : { plannedOf: _id }
  const page = await ctx.store.drafts.list({ ...paging, ...of, sort: '-updatedAt' })
  // Reads by id, all in one tick: MongoDB gets them as one command.
  const rows = await Promise.all(page.rows.map((row) => withConversation(ctx, row)))
  return { reply: pageReply({ ...page, rows: rows.flat() }, query) }
}

async function withConversation({ store, actor }: HandlerContext, row: DraftRow) {
  const conversation = await store.conversations.find(row.conversationId)
  // It was deleted after the page was read, and its drafts with it.
  if (conversation === undefined) return []
  const { _id, subject, status, channel, customerId } = conversation
  const customer = await findShownCustomer(store, { customerId, actor })
  return [{ ...shownDraft(row, actor), conversation: { _id, subject, status, channel, customer } }]
}

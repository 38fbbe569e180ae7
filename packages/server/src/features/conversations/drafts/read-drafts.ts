import { type getDraft, type listDrafts, type listOwnDrafts, notFound, type PageRequest } from '@crmkit/core'
import { pageReply } from '../../../shared/reply-page.ts'
import { userOf } from '../../caller.ts'
import type { Handler, HandlerContext } from '../../handler.ts'
import { findShownCustomer } from '../conversation-references.ts'
import { type DraftRow, findDraftOf, shownDraft } from './find-draft.ts'

export const handleGetDraft: Handler<typeof getDraft> = async ({ store, actor }, { params }) => {
  const conversationId = params.id
  if ((await store.conversations.find(conversationId)) === undefined) throw notFound()
  const draft = await findDraftOf(store, { conversationId, authorId: actor._id })
  return { reply: { success: true, data: draft ? shownDraft(draft, actor) : null } }
}

export const handleListDrafts: Handler<typeof listDrafts> = async (ctx, { params, query }) => {
  // The page comes first: an invalid cursor is reported before an unknown conversation.
  const page = await draftsPage(ctx, params.id, query)
  if ((await ctx.store.conversations.find(params.id)) === undefined) throw notFound()
  return { reply: pageReply(page, query) }
}

/** Returns drafts of a conversation as the API shows them to the caller. */
export async function draftsPage(
  { store, actor }: Pick<HandlerContext, 'store' | 'actor'>,
  conversationId: string,
  paging: PageRequest,
) {
  const page = await store.drafts.list({ ...paging, conversationId })
  return { ...page, rows: page.rows.map((row) => shownDraft(row, actor)) }
}

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

import { type getDraft, notFound } from '@crmkit/core'
import type { Handler } from '../../handler.ts'
import { findDraftOf, shownDraft } from './find-draft.ts'

export const handleGetDraft: Handler<typeof getDraft> = async ({ store, actor }, { params }) => {
  const conversationId = params.id
  if ((await store.conversations.find(conversationId)) === undefined) throw notFound()
  const draft = await findDraftOf(store, { conversationId, authorId: actor._id })
  return { reply: { success: true, data: draft ? shownDraft(draft, actor) : null } }
}

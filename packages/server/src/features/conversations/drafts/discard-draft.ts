import { type discardDraft, notFound } from '@crmkit/core'
import type { Handler } from '../../handler.ts'
import { draftSignal } from './draft-signal.ts'
import { deletedDraft, findDraftOf } from './find-draft.ts'

/** Succeeds also where there is no draft: a client that discards twice has what it wants. */
export const handleDiscardDraft: Handler<typeof discardDraft> = async ({ store, actor, now }, { params }) => {
  const conversationId = params.id
  if ((await store.conversations.find(conversationId)) === undefined) throw notFound()
  const draft = await findDraftOf(store, { conversationId, authorId: actor._id })
  const reply = { success: true, message: 'Draft deleted' } as const
  if (draft === undefined) return { reply }
  const writes = await deletedDraft(store, draft, now)
  return { reply, change: { writes, events: [] }, live: [draftSignal('draft.deleted', draft)] }
}

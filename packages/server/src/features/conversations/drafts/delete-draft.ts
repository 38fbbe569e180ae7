import { type deleteDraft, Failure, isRoleAtLeast, notFound } from '@crmkit/core'
import type { Actor } from '../../caller.ts'
import type { Handler } from '../../handler.ts'
import { draftSignal } from './draft-signal.ts'
import { type DraftRow, deletedDraft } from './find-draft.ts'

export const handleDeleteDraft: Handler<typeof deleteDraft> = async ({ store, actor, now }, { params }) => {
  const conversation = await store.conversations.find(params.id)
  const draft = await store.drafts.find(params.draftId)
  if (conversation === undefined || draft?.conversationId !== conversation._id) throw notFound()
  if (!mayDelete(actor, draft))
    throw new Failure('PERMISSION_DENIED', 'Only its author or an admin can delete the draft of a user', {
      extra: { required: 'admin', granted: actor.type === 'user' ? actor.role : 'API key' },
    })
  const writes = await deletedDraft(store, draft, now)
  return {
    change: { writes, events: [] },
    reply: { success: true, message: 'Draft deleted' },
    live: [draftSignal('draft.deleted', draft)],
  }
}

/** A program proposes and cannot object: anybody of the team may delete its draft. */
function mayDelete(actor: Actor, { author }: DraftRow): boolean {
  if (author._id === actor._id || author.type === 'api') return true
  return actor.type === 'user' && isRoleAtLeast(actor.role, 'admin')
}

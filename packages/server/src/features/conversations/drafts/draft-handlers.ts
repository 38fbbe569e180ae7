import { handleDeleteDraft } from './delete-draft.ts'
import { handleDiscardDraft } from './discard-draft.ts'
import { handleGetDraft, handleListDrafts, handleListOwnDrafts } from './read-drafts.ts'
import { handleSaveDraft } from './save-draft.ts'
import { handleSendDraft } from './send-draft.ts'

export const draftHandlers = {
  'drafts.get': handleGetDraft,
  'drafts.save': handleSaveDraft,
  'drafts.discard': handleDiscardDraft,
  'drafts.list': handleListDrafts,
  'drafts.listOwn': handleListOwnDrafts,
  'drafts.delete': handleDeleteDraft,
  'drafts.send': handleSendDraft,
} as const

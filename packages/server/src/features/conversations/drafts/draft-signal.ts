import type { LiveSignal } from '../../../ports/live.ts'
import { type DraftRow, namedDraft } from './find-draft.ts'

/** Returns the live event of a draft that was changed, or has ended. */
export function draftSignal(event: 'draft.updated' | 'draft.deleted', draft: DraftRow): LiveSignal {
  return { event, data: namedDraft(draft) }
}

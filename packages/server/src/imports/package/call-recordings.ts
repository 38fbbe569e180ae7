import { externalIdOf, type ImportContext, linkIdOf } from '../plan/import-context.ts'
import type { PackageRow } from './package-page.ts'

/** The id of the note that has the recording of a call. */
export function recordingNoteId(callId: string): string {
  return `recording of call ${callId}`
}

/**
 * Returns the note that has the recordings of a call; undefined for a call without one. Calls have no files here, and a file of a
 * note is erased, exported, merged and undone with it.
 */
export function recordingNoteOf(
  context: Pick<ImportContext, 'provider' | 'accountId' | 'now'>,
  { row, id: callId, record, hash }: PackageRow<'calls'>,
): PackageRow<'notes'> | undefined {
  const { attachmentIds, conversationId, personId, startedAt, endedAt } = record
  if (!attachmentIds?.length || !(conversationId ?? personId)) return undefined
  const id = recordingNoteId(callId)
  const link = { module: 'notes', id }
  return {
    row,
    id,
    hash,
    linkId: linkIdOf(context, link),
    externalId: externalIdOf(context, link),
    record: {
      id,
      conversationId,
      personId,
      author: { type: 'system', id: null },
      content: 'Recording of the call',
      contentType: 'text',
      createdAt: startedAt ?? endedAt ?? context.now(),
      attachmentIds,
    },
  }
}

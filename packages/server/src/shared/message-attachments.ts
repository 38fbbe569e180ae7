import { type Attachment, attachmentUrl, type Problem, validationFailure } from '@crmkit/core'
import type { AttachmentRecord, Stored } from '../ports/records.ts'
import type { TenantStore, Write } from '../ports/storage.ts'

type Row = Stored<AttachmentRecord>

export interface MessageAttachments {
  /** As the message shows them. */
  shown: Attachment[]
  /** Makes them the message's; the commit loses when another message was quicker. */
  writesFor(messageId: string): Write[]
}

/**
 * The uploaded files that a new message names, in its order. Throws VALIDATION_ERROR with every id that is not an
 * upload of this tenant which is still free.
 */
export async function findMessageAttachments(
  store: TenantStore,
  { ids, field, now }: { ids: readonly string[] | null | undefined; field: string; now: string },
): Promise<MessageAttachments> {
  const rows = await Promise.all((ids ?? []).map((id) => store.attachments.find(id)))
  const problems = rows.flatMap((row, index) => problemOf({ row, index, ids: ids ?? [], field }))
  if (problems.length > 0) throw validationFailure(problems)
  const found = rows as Row[]
  return {
    shown: found.map(({ _id, filename, contentType, size }) => ({
      ...{ _id, filename, contentType, size },
      url: attachmentUrl(_id),
    })),
    writesFor: (messageId) =>
      found.map(({ _id: id, version: expectVersion }) => {
        return { op: 'update', kind: 'attachments', id, expectVersion, set: { messageId, updatedAt: now } }
      }),
  }
}

interface Named {
  row: Row | undefined
  index: number
  ids: readonly string[]
  field: string
}

function problemOf({ row, index, ids, field }: Named): Problem[] {
  const place = { field: `${field}.${index}`, in: 'body' } as const
  if (ids.indexOf(ids[index] ?? '') < index) {
    return [{ ...place, message: 'is named twice', rule: 'duplicate' }]
  }
  const isFree = row?.state === 'stored' && row.erasedAt === null && row.messageId === null
  return isFree ? [] : [{ ...place, message: 'names no uploaded file that is still free', rule: 'reference' }]
}

import { type Attachment, attachmentUrl, type Problem, referenceProblem } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import type { AttachmentRecord } from '../../storage/kinds/attachments.ts'
import type { Stored } from '../../storage/records.ts'

type Row = Stored<AttachmentRecord>

export interface MessageAttachments {
  /** Every id that names no upload of this tenant which is still free. None of the rest holds where there is one. */
  problems: Problem[]
  /** As the message shows them. */
  shown: Attachment[]
  /** Makes them the message's; the commit loses when another message was quicker. */
  writesFor(messageId: string): Write[]
}

/** The uploaded files that a new message names, in its order. */
export async function findMessageAttachments(
  store: TenantStore,
  { ids, field, now }: { ids: readonly string[] | null | undefined; field: string; now: string },
): Promise<MessageAttachments> {
  const rows = await Promise.all((ids ?? []).map((id) => store.attachments.find(id)))
  const problems = rows.flatMap((row, index) => problemOf({ row, index, ids: ids ?? [], field }))
  const found = rows.filter((row) => row !== undefined)
  return {
    problems,
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
  const place = `${field}.${index}`
  if (ids.indexOf(ids[index] ?? '') < index)
    return [{ field: place, message: 'is named twice', rule: 'duplicate', in: 'body' }]
  const isFree = row?.state === 'stored' && row.erasedAt === null && row.messageId === null
  return isFree ? [] : [referenceProblem(place, 'names no uploaded file that is still free')]
}

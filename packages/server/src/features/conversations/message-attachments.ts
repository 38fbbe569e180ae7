import { type Attachment, attachmentUrl, type Problem, referenceProblem } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import type { AttachmentRecord } from '../../storage/kinds/attachments.ts'
import type { Stored } from '../../storage/records.ts'

type Row = Stored<AttachmentRecord>

export interface MessageAttachments {
  /** A problem for each id that names no unused upload of this tenant. With any problem the other fields are incomplete. */
  problems: Problem[]
  /** The attachments as the message shows them. */
  shown: Attachment[]
  /** Returns writes that attach the files to the message; the commit conflicts when another message took one first. */
  writesFor(messageId: string): Write[]
}

/** The rows of the files of a draft, in its order, besides what a message needs. */
interface FoundAttachments extends MessageAttachments {
  rows: readonly Row[]
}

interface AttachmentIds {
  ids: readonly string[] | null | undefined
  /** The body's field that holds the ids. */
  field: string
  now: string
  mountPath: string
  /** The session of the visitor who sends the message; absent for a message of the team. */
  widgetSessionId?: string
  /** The drafts whose own files may be named too. */
  draftIds?: readonly (string | undefined)[]
}

/** Returns the uploaded files that a new message or a draft names, in its order. */
export async function findMessageAttachments(
  store: TenantReads,
  { ids, field, now, mountPath, widgetSessionId, draftIds = [] }: AttachmentIds,
): Promise<FoundAttachments> {
  const rows = await Promise.all((ids ?? []).map((id) => store.attachments.find(id)))
  const problems = rows.flatMap((row, index) =>
    problemOf({ row, index, ids: ids ?? [], field, widgetSessionId, draftIds }),
  )
  const found = rows.filter((row) => row !== undefined)
  return {
    problems,
    shown: found.map(({ _id, filename, contentType, size }) => ({
      _id,
      filename,
      contentType,
      size,
      url: attachmentUrl(_id, mountPath),
    })),
    rows: found,
    writesFor: (messageId) => ownerWrites(found, { messageId, draftId: null, updatedAt: now }),
  }
}

type Owners = Pick<AttachmentRecord, 'messageId' | 'updatedAt'> & { draftId: string | null }

/** Returns writes that give files to a message or to a draft; they conflict when another change of the file came first. */
export function ownerWrites(rows: readonly Row[], set: Owners): Write[] {
  return rows.map(({ _id: id, version: expectVersion }) => {
    return { op: 'update', kind: 'attachments', id, expectVersion, set }
  })
}

/** Returns writes that take files from their message or draft: such a file is removed a day after its upload. */
export async function freedAttachments(
  store: TenantReads,
  ids: readonly string[],
  now: string,
): Promise<Write[]> {
  const rows = await Promise.all(ids.map((id) => store.attachments.find(id)))
  const found = rows.filter((row) => row !== undefined)
  return ownerWrites(found, { messageId: null, draftId: null, updatedAt: now })
}

interface Named {
  row: Row | undefined
  index: number
  ids: readonly string[]
  field: string
  widgetSessionId: string | undefined
  draftIds: readonly (string | undefined)[]
}

function problemOf({ row, index, ids, field, widgetSessionId, draftIds }: Named): Problem[] {
  const path = `${field}.${index}`
  if (ids.indexOf(ids[index] ?? '') < index)
    return [{ field: path, message: 'is named twice', rule: 'duplicate', in: 'body' }]
  const holder = row?.draftId ?? null
  const isHeld = holder !== null && !draftIds.includes(holder)
  const isFree = row?.state === 'stored' && row.erasedAt === null && row.messageId === null && !isHeld
  const isOwn =
    row?.widgetSessionId === widgetSessionId &&
    row?.integrationId === undefined &&
    row?.inboundMailId === undefined
  return isFree && isOwn ? [] : [referenceProblem(path, 'names no uploaded file that is still free')]
}

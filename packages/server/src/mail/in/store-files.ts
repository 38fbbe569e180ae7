import { type Attachment, attachmentUrl, type IdFactory } from '@crmkit/core'
import type { AttachmentKey, AttachmentStore } from '../../ports/attachment-store.ts'
import type { Write } from '../../ports/change.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import type { AttachmentRecord } from '../../storage/kinds/attachments.ts'
import { mailFilesMax, withStoredImages } from '../parse/inline-images.ts'
import type { ParsedMail } from '../parser-process/mail-parser.ts'

interface StoreFilesParts {
  attachments: Pick<AttachmentStore, 'write' | 'spool'>
  clock: Clock
  ids: IdFactory
}

export interface StoredFiles {
  /** The text of the mail, with the URLs of the images in it. */
  content: string
  shown: Attachment[]
  writesFor(messageId: string): Write[]
}

/**
 * Stores the files of a mail, whose rows come before their bytes. They belong to a message with the writes that this
 * returns; without them a later job removes the files.
 */
export async function storeFiles(
  { attachments, clock, ids }: StoreFilesParts,
  store: TenantStore,
  parsed: ParsedMail,
): Promise<StoredFiles> {
  const { facts } = parsed
  const now = isoTime(clock.nowMs())
  const { tenantId } = store
  const rows = facts.files.slice(0, mailFilesMax).map(
    ({ filename, contentType, size }): AttachmentRecord => ({
      _id: ids.next('att'),
      tenantId,
      state: 'uploading',
      filename: filename ?? 'attachment',
      contentType: typeOf(contentType),
      size,
      sha256: '',
      messageId: null,
      erasedAt: null,
      createdAt: now,
      updatedAt: now,
    }),
  )
  const insert = rows.map((row): Write => ({ op: 'insert', kind: 'attachments', row }))
  if (rows.length > 0) await store.commit({ writes: insert, events: [] })
  for (const [index, { _id: id, size }] of rows.entries())
    await storeBytes(attachments, parsed, { key: { tenantId, id }, index, size })
  return {
    content:
      facts.contentType === 'html'
        ? withStoredImages(
            facts.content,
            rows.map(({ _id }) => _id),
          )
        : facts.content,
    shown: rows.map(({ _id, filename, contentType, size }, index) => {
      const { isInline = false, contentId = null } = facts.files[index] ?? {}
      const named = contentId !== null && { contentId }
      return { _id, filename, contentType, size, url: attachmentUrl(_id, ''), isInline, ...named }
    }),
    writesFor: (messageId) =>
      rows.map(({ _id: id }, index): Write => {
        const sha256 = facts.files[index]?.sha256 ?? ''
        const set = { state: 'stored' as const, sha256, messageId, updatedAt: now }
        return { op: 'update', kind: 'attachments', id, expectVersion: 1, set }
      }),
  }
}

/** Where the store allows it, the process that has read the mail writes the file itself. */
async function storeBytes(
  attachments: StoreFilesParts['attachments'],
  { file, spooled }: ParsedMail,
  { key, index, size }: { key: AttachmentKey; index: number; size: number },
): Promise<void> {
  const { spool } = attachments
  if (spool === undefined || spooled === undefined) return attachments.write(key, file(index))
  await spool.take(key, {
    place: spooled.place,
    size,
    async write(to) {
      await spooled.write(index, to)
      passFaultPoint('mail-file-before-adoption')
    },
  })
}

function typeOf(contentType: string): string {
  return /^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*$/i.test(contentType) && contentType.length <= 100
    ? contentType
    : 'application/octet-stream'
}

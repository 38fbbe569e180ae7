import { attachmentUrl, type IdFactory, type Message, safeFilename } from '@crmkit/core'
import { bytesPath } from '@crmkit/core/package'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import type { AttachmentRecord } from '../../storage/kinds/attachments.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Stored } from '../../storage/records.ts'
import type { PackageAttachment, PackageFacts } from './package-facts.ts'
import { findPackageFile } from './package-store.ts'

/** A file of the package on its way to a message. */
export interface FoundBytes {
  shown: Message['attachments'][number]
  contentId: string | null
  writesFor(messageId: string, now: string): Write[]
}

interface BytesParts {
  store: TenantStore
  attachments: Pick<AttachmentStore, 'read' | 'write'>
  ids: IdFactory
  integration: IntegrationRecord
  facts: PackageFacts
  now(): string
}

/** The bytes of a package. The file that was uploaded becomes that of the message; only a second message gets a copy. */
export class PackageBytes {
  readonly #parts: BytesParts

  constructor(parts: BytesParts) {
    this.#parts = parts
  }

  /** Finds the files of the records of a page. `undefined`: its bytes are not there. */
  async find(ids: readonly string[]): Promise<Map<string, FoundBytes | undefined>> {
    const found = new Map<string, FoundBytes | undefined>()
    const taken = new Set<string>()
    for (const id of new Set(ids)) {
      const attachment = this.#parts.facts.attachment(id)
      found.set(id, attachment && (await this.#take(attachment, taken)))
    }
    return found
  }

  async #take(attachment: PackageAttachment, taken: Set<string>): Promise<FoundBytes | undefined> {
    const { sha256 } = attachment
    if (sha256 === null) return undefined
    const { store, integration } = this.#parts
    const file = await findPackageFile(store, integration, bytesPath(sha256))
    const row = file && (await store.attachments.find(file.attachmentId))
    if (row === undefined || row.erasedAt !== null) return undefined
    const isFree = row.messageId === null && !taken.has(row._id)
    taken.add(row._id)
    return isFree ? relinked(row, attachment) : this.#copy(row, attachment)
  }

  async #copy(
    { _id: from, tenantId, contentType, size, sha256 }: Stored<AttachmentRecord>,
    attachment: PackageAttachment,
  ): Promise<FoundBytes | undefined> {
    const { store, attachments, ids, now } = this.#parts
    const bytes = await attachments.read({ tenantId, id: from })
    if (bytes === undefined) return undefined
    const id = ids.next('att')
    const at = now()
    const row: AttachmentRecord = {
      _id: id,
      tenantId,
      state: 'uploading',
      filename: safeFilename(attachment.filename),
      contentType,
      size,
      sha256,
      messageId: null,
      erasedAt: null,
      createdAt: at,
      updatedAt: at,
    }
    await store.commit({ writes: [{ op: 'insert', kind: 'attachments', row }], events: [] })
    await attachments.write({ tenantId, id }, bytes)
    return relinked({ ...row, version: 1 }, attachment)
  }
}

function relinked(
  { _id: id, version, contentType, size }: Stored<AttachmentRecord>,
  attachment: PackageAttachment,
): FoundBytes {
  const filename = safeFilename(attachment.filename)
  const contentId = attachment.contentId ?? null
  const url = attachmentUrl(id, '')
  const inline = { isInline: attachment.isInline ?? false, ...(contentId !== null && { contentId }) }
  return {
    shown: { _id: id, filename, contentType, size, url, ...inline },
    contentId,
    writesFor: (messageId, now) => {
      const set = {
        state: 'stored' as const,
        filename,
        messageId,
        integrationId: undefined,
        keptUntil: undefined,
        updatedAt: now,
      } as unknown as Partial<AttachmentRecord>
      return [{ op: 'update', kind: 'attachments', id, expectVersion: version, set }]
    },
  }
}

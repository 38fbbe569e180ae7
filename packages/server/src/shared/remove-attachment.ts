import type { AttachmentStore } from '../ports/attachment-store.ts'
import type { TenantStore } from '../ports/storage.ts'
import { VersionConflict } from '../storage/errors.ts'
import type { AttachmentRecord } from '../storage/kinds/attachments.ts'
import { erasedAttachment } from '../storage/kinds/attachments.ts'
import { bytesIdOf, type ImportFileRecord } from '../storage/kinds/import-files.ts'
import type { Stored } from '../storage/records.ts'
import { removalOf } from './removal-of.ts'

interface Removal {
  store: Pick<TenantStore, 'tenantId' | 'commit' | 'importFiles'>
  attachments: Pick<AttachmentStore, 'remove'>
  now: string
}

/**
 * Deletes an attachment as it was read: hides it first, then deletes its bytes, then its row, so that there are never
 * bytes without a row. Returns false when another commit has changed it.
 */
export async function removeAttachment(
  { store, attachments, now }: Removal,
  attachment: Stored<AttachmentRecord>,
): Promise<boolean> {
  const { _id: id, version, erasedAt, integrationId, state } = attachment
  const kind = 'attachments'
  try {
    const isHidden = erasedAt !== null
    if (!isHidden) {
      const mark = { op: 'update', kind, id, expectVersion: version, set: erasedAttachment(now) } as const
      const isOfImport = integrationId !== undefined && state === 'stored'
      const files = isOfImport ? await filesOf(store, { integrationId, id }) : []
      const removals = files.map((file) => removalOf('importFiles', file))
      await store.commit({ writes: [mark, ...removals], events: [] })
    }
    await attachments.remove({ tenantId: store.tenantId, id })
    const expectVersion = isHidden ? version : version + 1
    await store.commit({ writes: [{ op: 'remove', kind, id, expectVersion }], events: [] })
    return true
  } catch (error) {
    if (error instanceof VersionConflict) return false
    throw error
  }
}

/** The files whose bytes an attachment has. */
async function filesOf(
  { importFiles }: Pick<TenantStore, 'importFiles'>,
  { integrationId, id }: { integrationId: string; id: string },
): Promise<Stored<ImportFileRecord>[]> {
  const { rows } = await importFiles.listRows({ integrationId, page: 1, limit: 100 })
  return rows.filter((file) => bytesIdOf(file) === id)
}

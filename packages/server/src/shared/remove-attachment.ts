import type { AttachmentStore } from '../ports/attachment-store.ts'
import type { TenantStore } from '../ports/storage.ts'
import { VersionConflict } from '../storage/errors.ts'
import type { AttachmentRecord } from '../storage/kinds/attachments.ts'
import { erasedAttachment } from '../storage/kinds/attachments.ts'
import type { Stored } from '../storage/records.ts'

interface Removal {
  store: Pick<TenantStore, 'tenantId' | 'commit'>
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
  const { _id: id, version: expectVersion, erasedAt, integrationId, state } = attachment
  const kind = 'attachments'
  try {
    if (erasedAt === null) {
      const mark = { op: 'update', kind, id, expectVersion, set: erasedAttachment(now) } as const
      const isOfImport = integrationId !== undefined && state === 'stored'
      const file = isOfImport ? [{ op: 'remove', kind: 'importFiles', id } as const] : []
      await store.commit({ writes: [mark, ...file], events: [] })
    }
    await attachments.remove({ tenantId: store.tenantId, id })
    await store.commit({ writes: [{ op: 'remove', kind, id }], events: [] })
    return true
  } catch (error) {
    if (error instanceof VersionConflict) return false
    throw error
  }
}

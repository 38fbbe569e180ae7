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
 * Removes an attachment as it was read: first from sight, then its bytes, then its row, so that nothing is ever kept
 * without a row that tells of it. False when somebody changed it meanwhile.
 */
export async function removeAttachment(
  { store, attachments, now }: Removal,
  { _id: id, version: expectVersion, erasedAt }: Stored<AttachmentRecord>,
): Promise<boolean> {
  const kind = 'attachments'
  try {
    if (erasedAt === null) {
      const mark = { op: 'update', kind, id, expectVersion, set: erasedAttachment(now) } as const
      await store.commit({ writes: [mark], events: [] })
    }
    await attachments.remove({ tenantId: store.tenantId, id })
    await store.commit({ writes: [{ op: 'remove', kind, id }], events: [] })
    return true
  } catch (error) {
    if (error instanceof VersionConflict) return false
    throw error
  }
}

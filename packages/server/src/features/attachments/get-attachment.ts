import { type getAttachment, notFound } from '@crmkit/core'
import type { TenantStore } from '../../ports/storage.ts'
import type { AttachmentRecord } from '../../storage/kinds/attachments.ts'
import type { DownloadHandler } from '../handler.ts'

export const handleGetAttachment: DownloadHandler<typeof getAttachment> = async (
  { store, services },
  { params: { id } },
) => {
  const { filename, contentType, size } = await getVisible(store, id)
  return {
    filename,
    contentType,
    size,
    open: async () => {
      const bytes = await services.attachments.read({ tenantId: store.tenantId, id })
      if (bytes !== undefined) return bytes
      // It may have been erased since it was looked up. If not, its bytes were lost.
      await getVisible(store, id)
      throw new Error(`the bytes of attachment ${id} are missing`)
    },
  }
}

/** Returns the row of a stored attachment. Throws NOT_FOUND when it is unknown, unfinished or erased. */
async function getVisible(store: TenantStore, id: string): Promise<AttachmentRecord> {
  const row = await store.attachments.find(id)
  if (row?.state !== 'stored' || row.erasedAt !== null) throw notFound()
  return row
}

import { type getAttachment, notFound } from '@crmkit/core'
import type { TenantStore } from '../../ports/storage.ts'
import type { AttachmentRecord } from '../../storage/kinds/attachments.ts'
import type { DownloadHandler } from '../handler.ts'

export const handleGetAttachment: DownloadHandler<typeof getAttachment> = async (
  { store, services },
  { params: { id } },
) => {
  const { filename, contentType, size } = await getSeen(store, id)
  return {
    filename,
    contentType,
    size,
    open: async () => {
      const bytes = await services.attachments.read({ tenantId: store.tenantId, id })
      if (bytes !== undefined) return bytes
      // Erased since it was looked up; anything else is a loss.
      await getSeen(store, id)
      throw new Error(`the bytes of attachment ${id} are missing`)
    },
  }
}

/** Throws NOT_FOUND. */
async function getSeen(store: TenantStore, id: string): Promise<AttachmentRecord> {
  const row = await store.attachments.find(id)
  if (row?.state !== 'stored' || row.erasedAt !== null) throw notFound()
  return row
}

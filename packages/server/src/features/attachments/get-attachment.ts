import { type getAttachment, notFound } from '@crmkit/core'
import type { TenantStore } from '../../ports/storage.ts'
import type { AttachmentRecord } from '../../storage/kinds/attachments.ts'
import type { DownloadHandler } from '../handler.ts'

export const handleGetAttachment: DownloadHandler<typeof getAttachment> = async (
  { store, services },
  { params: { id } },
) => {
  const { filename, contentType, size } = await getVisible(store, id)
  const key = { tenantId: store.tenantId, id }

  /** Throws; an attachment that was erased since it was looked up is NOT_FOUND, any other one has lost its bytes. */
  async function refuseDamaged(defect: string): Promise<never> {
    await getVisible(store, id)
    throw new Error(`The attachment ${id} is damaged: ${defect}`)
  }

  const missing = 'its bytes are missing'
  const stored = await services.attachments.sizeOf(key)
  if (stored === undefined) await refuseDamaged(missing)
  if (stored !== size) await refuseDamaged(`${stored} bytes are stored instead of ${size}`)
  return {
    logName: `attachment ${id}`,
    filename,
    contentType,
    size,
    open: async () => (await services.attachments.read(key)) ?? refuseDamaged(missing),
  }
}

/** Returns the row of a stored attachment. Throws NOT_FOUND when it is unknown, unfinished or erased. */
async function getVisible(store: TenantStore, id: string): Promise<AttachmentRecord> {
  const row = await store.attachments.find(id)
  if (row?.state !== 'stored' || row.erasedAt !== null || row.integrationId !== undefined) throw notFound()
  return row
}

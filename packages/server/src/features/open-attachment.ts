import { notFound } from '@crmkit/core'
import type { AttachmentStore } from '../ports/attachment-store.ts'
import type { TenantReads } from '../ports/storage.ts'
import type { AttachmentRecord } from '../storage/kinds/attachments.ts'
import type { Download } from './stream-handler.ts'

interface OpenParts {
  store: TenantReads
  services: { attachments: Pick<AttachmentStore, 'read' | 'sizeOf'> }
}

/** Returns a stored attachment as a download. Throws NOT_FOUND when it is unknown, unfinished or erased. */
export async function openAttachment({ store, services }: OpenParts, id: string): Promise<Download> {
  return openRow({ store, services }, id, () => getVisible(store, id))
}

/** Returns the bytes of an attachment that only `getRow` shows, which throws NOT_FOUND for one that may not be seen. */
export async function openRow(
  { store, services }: OpenParts,
  id: string,
  getRow: () => Promise<AttachmentRecord>,
): Promise<Download> {
  const { filename, contentType, size } = await getRow()
  const key = { tenantId: store.tenantId, id }

  /** Throws; an attachment that was erased since it was looked up is NOT_FOUND, any other one has lost its bytes. */
  async function refuseDamaged(defect: string): Promise<never> {
    await getRow()
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
async function getVisible(store: TenantReads, id: string): Promise<AttachmentRecord> {
  const row = await store.attachments.find(id)
  const isHidden = row?.integrationId !== undefined || row?.inboundMailId !== undefined
  if (row?.state !== 'stored' || row.erasedAt !== null || isHidden) throw notFound()
  return row
}

import { type Attachment, Failure, type UploadedFile } from '@crmkit/core'
import type { Change } from '../ports/change.ts'
import type { TenantReads } from '../ports/storage.ts'
import type { AttachmentRecord } from '../storage/kinds/attachments.ts'
import type { Stored } from '../storage/records.ts'

interface StoredUpload {
  store: TenantReads
  now: string
  /** The session of the visitor who uploads; absent for an upload of the team. */
  widgetSessionId?: string
}

/** Returns the row of an upload whose bytes have just arrived. Throws SERVICE_UNAVAILABLE where it was removed meanwhile. */
export async function getArrived(
  store: Pick<TenantReads, 'attachments'>,
  id: string,
): Promise<Stored<AttachmentRecord>> {
  const row = await store.attachments.find(id)
  if (row?.state !== 'uploading' || row.erasedAt !== null) {
    throw new Failure('SERVICE_UNAVAILABLE', 'The upload took too long; try again', {
      headers: { 'Retry-After': '1' },
    })
  }
  return row
}

/** Makes an uploaded attachment visible. Its bytes and its row are stored already. */
export async function storeUpload(
  { store, now, ...uploader }: StoredUpload,
  { _id, ...file }: UploadedFile,
): Promise<{ change: Change; shown: Omit<Attachment, 'url'> }> {
  const { version: expectVersion } = await getArrived(store, _id)
  const set = { ...file, ...uploader, state: 'stored' as const, updatedAt: now }
  const { sha256: _, ...shown } = file
  return {
    change: {
      writes: [{ op: 'update', kind: 'attachments', id: _id, expectVersion, set }],
      events: [],
    },
    shown: { _id, ...shown },
  }
}

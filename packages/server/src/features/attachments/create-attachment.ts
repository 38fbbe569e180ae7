import { attachmentUrl, type createAttachment, Failure } from '@crmkit/core'
import type { Handler } from '../handler.ts'

/** Makes an uploaded attachment visible. Its bytes and its row are stored already. */
export const handleCreateAttachment: Handler<typeof createAttachment> = async (
  { store, now, mountPath },
  { body },
) => {
  const { _id, ...file } = body
  const row = await store.attachments.find(_id)
  if (row?.state !== 'uploading' || row.erasedAt !== null) {
    throw new Failure('SERVICE_UNAVAILABLE', 'The upload took too long; try again', {
      headers: { 'Retry-After': '1' },
    })
  }
  const set = { ...file, state: 'stored' as const, updatedAt: now }
  const { sha256: _, ...shown } = file
  return {
    change: {
      writes: [{ op: 'update', kind: 'attachments', id: _id, expectVersion: row.version, set }],
      events: [],
    },
    reply: { success: true, data: { _id, ...shown, url: attachmentUrl(_id, mountPath) } },
  }
}

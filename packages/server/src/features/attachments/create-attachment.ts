import { attachmentUrl, type createAttachment } from '@crmkit/core'
import { storeUpload } from '../../shared/store-upload.ts'
import type { Handler } from '../handler.ts'

export const handleCreateAttachment: Handler<typeof createAttachment> = async (
  { store, now, mountPath },
  { body },
) => {
  const { change, shown } = await storeUpload({ store, now }, body)
  return { change, reply: { success: true, data: { ...shown, url: attachmentUrl(shown._id, mountPath) } } }
}

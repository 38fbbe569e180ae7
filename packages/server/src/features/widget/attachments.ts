import { attachmentUrl, type createWidgetAttachment, type getWidgetAttachment, notFound } from '@crmkit/core'
import { storeUpload } from '../../shared/store-upload.ts'
import type { Handler } from '../handler.ts'
import { openAttachment } from '../open-attachment.ts'
import type { DownloadHandler } from '../stream-handler.ts'
import { isShown, visitorUrl } from './show-to-visitor.ts'
import { assertNotBlocked, getConversation, getSession } from './visitor-rows.ts'

export const handleCreateWidgetAttachment: Handler<typeof createWidgetAttachment> = async (
  { store, actor, now, mountPath },
  { body },
) => {
  await assertNotBlocked(store, await getSession(store, actor))
  const { change, shown } = await storeUpload({ store, now, widgetSessionId: actor._id }, body)
  const url = visitorUrl(attachmentUrl(shown._id, mountPath))
  return { change, reply: { success: true, data: { ...shown, url } } }
}

export const handleGetWidgetAttachment: DownloadHandler<typeof getWidgetAttachment> = async (
  ctx,
  { params: { id } },
) => {
  const { store, actor } = ctx
  const row = await store.attachments.find(id)
  const message = row?.messageId ? await store.messages.find(row.messageId) : undefined
  if (message === undefined || !isShown(message)) throw notFound()
  await getConversation(store, actor, message.conversationId)
  return openAttachment(ctx, id)
}

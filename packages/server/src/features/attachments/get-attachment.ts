import type { getAttachment } from '@crmkit/core'
import { openAttachment } from '../open-attachment.ts'
import type { DownloadHandler } from '../stream-handler.ts'

export const handleGetAttachment: DownloadHandler<typeof getAttachment> = (ctx, { params: { id } }) =>
  openAttachment(ctx, id)

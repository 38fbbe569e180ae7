import { type getInboundMail, type getRawMail, type listInboundMails, notFound } from '@crmkit/core'
import { findMail } from '../../shared/erased-address.ts'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'
import { openRow } from '../open-attachment.ts'
import type { DownloadHandler } from '../stream-handler.ts'
import { showMail } from './show-mail.ts'

export const handleListInboundMails: Handler<typeof listInboundMails> = async ({ store, now }, { query }) => {
  const { needsYou, ...asked } = query
  const page = await store.inboundMails.list({
    ...asked,
    ...(needsYou === true && { needsYou: 'yes', needsYouAt: now }),
  })
  return { reply: pageReply({ ...page, rows: page.rows.map((row) => showMail(row, now)) }, query) }
}

export const handleGetInboundMail: Handler<typeof getInboundMail> = async ({ store, now }, { params }) => {
  const row = await findMail(store, params.id)
  if (row === undefined) throw notFound()
  return { reply: { success: true, data: showMail(row, now) } }
}

export const handleGetRawMail: DownloadHandler<typeof getRawMail> = async (ctx, { params: { id } }) => {
  const { store } = ctx
  const mail = await findMail(store, id)
  if (mail === undefined) throw notFound()
  const getRow = async () => {
    const row = await store.attachments.find(mail.attachmentId)
    if (row?.state !== 'stored' || row.erasedAt !== null || row.inboundMailId !== id) throw notFound()
    return row
  }
  const download = await openRow(ctx, mail.attachmentId, getRow)
  return {
    ...download,
    logName: `mail ${id}`,
    audit: { action: 'mail.rawRead', target: { type: 'mail', _id: id } },
  }
}

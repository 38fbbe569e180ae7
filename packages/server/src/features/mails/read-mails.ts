import {
  foldCase,
  type getInboundMail,
  type getRawMail,
  type listInboundMails,
  notFound,
  validationFailure,
} from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { findMail } from '../../shared/erased-address.ts'
import { readAll } from '../../shared/read-all.ts'
import { pageReply } from '../../shared/reply-page.ts'
import type { ListFilter } from '../../storage/pages.ts'
import type { Handler } from '../handler.ts'
import { openRow } from '../open-attachment.ts'
import type { DownloadHandler } from '../stream-handler.ts'
import { showMail } from './show-mail.ts'

export const handleListInboundMails: Handler<typeof listInboundMails> = async ({ store, now }, { query }) => {
  const { needsYou, search, ...asked } = query
  if (search !== undefined && needsYou !== true) throw searchNeedsYou()
  const filter = { ...asked, ...(needsYou === true && { needsYou: 'yes', needsYouAt: now }) }
  const { page, limit, cursor } = asked
  const ids = search === undefined ? undefined : await searchMails(store, filter, search)
  const found = ids === undefined ? filter : { ids, page, limit, cursor }
  // A list of no ids would be that of all mails.
  const listed = ids?.length === 0 ? noMails : await store.inboundMails.list(found)
  return { reply: pageReply({ ...listed, rows: listed.rows.map((row) => showMail(row, now)) }, query) }
}

const noMails = { rows: [], total: 0, totalIsEstimate: false, nextCursor: null }

const searchNeedsYou = () => {
  const message = 'needs needsYou=true: only those mails are searched'
  return validationFailure([{ field: 'search', in: 'query', rule: 'required', message }])
}

const pageSize = 250
/** Mails that need a person are few, so they have no index of words. */
const searchedMax = 1_000
/** As many as a page may have. */
const foundMax = 100

async function searchMails(
  store: TenantReads,
  filter: ListFilter<'inboundMails'>,
  search: string,
): Promise<string[]> {
  const words = foldCase(search).split(/\s+/).filter(Boolean)
  const found: string[] = []
  let count = 0
  for await (const mail of readAll((cursor) =>
    store.inboundMails.listRows({ ...filter, page: 1, limit: pageSize, cursor }),
  )) {
    const text = foldCase(`${mail.from ?? ''} ${mail.envelope.from ?? ''} ${mail.subject ?? ''}`)
    if (words.every((word) => text.includes(word))) found.push(mail._id)
    count += 1
    if (count >= searchedMax || found.length >= foundMax) break
  }
  return found
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

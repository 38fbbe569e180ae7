import type { listWidgetMessages, StoredMessage } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'
import { isShown, showMessage } from './show-to-visitor.ts'
import { getConversation } from './visitor-rows.ts'

export const handleListWidgetMessages: Handler<typeof listWidgetMessages> = async (
  { store, actor },
  { params, query },
) => {
  const { order, page, limit, cursor, format } = query
  const sort = order === 'desc' ? '-createdAt' : 'createdAt'
  const from = { conversationId: params.id, sort, cursor } as const
  const skipped = cursor === undefined ? (page - 1) * limit : 0
  // The page comes first: an invalid cursor is reported before an unknown conversation, which shows nothing.
  const { rows, nextCursor } = await readShown(store, from, { skipped, limit })
  const conversation = await getConversation(store, actor, params.id)
  const shown = await Promise.all(rows.map((row) => showMessage(store, row, format)))
  // Notes do not count there, so the total says nothing about them.
  const totals = { total: conversation.messageCount, totalIsEstimate: false, nextCursor }
  return { reply: pageReply({ ...totals, rows: shown }, query) }
}

interface From {
  conversationId: string
  sort: 'createdAt' | '-createdAt'
  cursor: string | undefined
}

interface Wanted {
  skipped: number
  limit: number
}

const readMax = 100

/**
 * Reads messages until so many are shown as the page may have. A page of the storage counts notes too, so the number of
 * a page cannot be passed on.
 */
async function readShown(store: TenantReads, from: From, { skipped, limit }: Wanted) {
  const rows: StoredMessage[] = []
  let left = skipped
  let { cursor } = from
  for (;;) {
    const wanted = left > 0 ? Math.min(left, readMax) : limit - rows.length
    const page = await store.messages.listRows({ ...from, cursor, page: 1, limit: wanted })
    const found = page.rows.filter(isShown)
    if (left > 0) left -= found.length
    else rows.push(...found)
    if (page.nextCursor === null) return { rows, nextCursor: null }
    cursor = page.nextCursor
    if (left === 0 && rows.length >= limit) return { rows, nextCursor: cursor }
  }
}

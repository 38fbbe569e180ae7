import type { getView, listViews } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import { decodeCursor, encodeCursor } from '../../storage/cursor.ts'
import { teamOfViews, type ViewRecord } from '../../storage/kinds/views.ts'
import { userOf } from '../caller.ts'
import type { Handler } from '../handler.ts'
import { getViewRow, viewOf } from './find-view.ts'
import { viewsOfAudience } from './views-of-audience.ts'

const order = { list: 'views', isValue: (value: unknown) => typeof value === 'string' }

/** Both audiences have few views, so their pages are made in memory. */
export const handleListViews: Handler<typeof listViews> = async (ctx, { query }) => {
  const { page, limit, cursor } = query
  const audiences = [teamOfViews, userOf(ctx)._id]
  const found = await Promise.all(audiences.map((audience) => viewsOfAudience(ctx.store, audience)))
  const all = found.flat().sort(byName)
  const start = cursor === undefined ? (page - 1) * limit : startBehind(all, cursor)
  const rows = all.slice(start, start + limit)
  const last = rows.at(-1)
  const isLast = last === undefined || start + limit >= all.length
  const nextCursor = isLast ? null : encodeCursor(order.list, { value: last.name, id: last._id })
  const shown = { rows: rows.map(viewOf), total: all.length, totalIsEstimate: false, nextCursor }
  return { reply: pageReply(shown, query) }
}

export const handleGetView: Handler<typeof getView> = async (ctx, { params }) => ({
  reply: { success: true, data: viewOf(await getViewRow(ctx.store, userOf(ctx), params.id)) },
})

type Place = Pick<ViewRecord, 'name' | '_id'>

function byName(a: Place, b: Place): number {
  if (a.name === b.name) return a._id < b._id ? -1 : 1
  return a.name < b.name ? -1 : 1
}

function startBehind(rows: readonly Place[], cursor: string): number {
  const { value, id } = decodeCursor(cursor, order)
  const at = rows.findIndex((row) => byName(row, { name: String(value), _id: id }) > 0 && row._id !== id)
  return at < 0 ? rows.length : at
}

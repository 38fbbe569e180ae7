import {
  type Activity,
  type listTimeline,
  notFound,
  shownMessage,
  type TimelineEntry,
  type timelineKinds,
} from '@crmkit/core'
import { rowsShownIn } from '../../shared/merged-conversation.ts'
import { pageReply } from '../../shared/reply-page.ts'
import { type CursorPosition, decodeCursor, encodeCursor, isMomentValue } from '../../storage/cursor.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'
import type { Handler, HandlerContext } from '../handler.ts'

/** Both lists of a timeline have the same order: by a moment, then by the id. So a position in one is a position in the other. */
const orders = {
  asc: { messages: 'createdAt', activities: 'at' },
  desc: { messages: '-createdAt', activities: '-at' },
} as const

type Shown = Parameters<typeof rowsShownIn>[0]

interface Paging {
  order: 'asc' | 'desc'
  /** Undefined: of both. */
  kind?: (typeof timelineKinds)[number] | undefined
  limit: number
  cursor?: string | undefined
}

export const handleListTimeline: Handler<typeof listTimeline> = async (ctx, { params, query }) => {
  const conversation = await ctx.store.conversations.find(params.id)
  // The page comes first: an invalid cursor is reported before an unknown conversation.
  const page = await timelinePage(ctx, conversation ?? { _id: params.id }, query)
  if (conversation === undefined) throw notFound()
  return { reply: pageReply(page, { page: 1, limit: query.limit }) }
}

/** Returns the newest activities of a conversation; the position after them is one of its timeline. */
export async function activitiesPage(ctx: Pick<HandlerContext, 'store'>, conversation: Shown, limit: number) {
  const page = await timelinePage(ctx, conversation, { order: 'desc', kind: 'activity', limit })
  return { ...page, rows: page.rows.flatMap(({ activity }) => activity ?? []) }
}

const none = { rows: [], total: 0, totalIsEstimate: false, nextCursor: null }

async function timelinePage(
  { store }: Pick<HandlerContext, 'store'>,
  conversation: Shown,
  { order, kind, limit, cursor }: Paging,
) {
  const list = `timeline:${order}`
  const after = cursor === undefined ? undefined : decodeCursor(cursor, { list, isValue: isMomentValue })
  const sorts = orders[order]
  const pageOf = <S extends string>(of: 'messages' | 'activities', sort: S) => ({
    ...rowsShownIn(conversation),
    sort,
    page: 1,
    limit,
    cursor: after && encodeCursor(`${of}:${sort}`, after),
  })
  const [messages, activities] = await Promise.all([
    kind === 'activity' ? none : store.messages.list(pageOf('messages', sorts.messages)),
    kind === 'message' ? none : store.activities.list(pageOf('activities', sorts.activities)),
  ])
  const merged = [...messages.rows.map(entryOfMessage), ...activities.rows.map(entryOfActivity)]
  const sign = order === 'asc' ? 1 : -1
  const rows = merged.toSorted((a, b) => sign * compare(a, b)).slice(0, limit)
  const isMore = merged.length > limit || messages.nextCursor !== null || activities.nextCursor !== null
  const last = rows.at(-1)
  return {
    rows,
    total: messages.total + activities.total,
    totalIsEstimate: messages.totalIsEstimate || activities.totalIsEstimate,
    nextCursor: isMore && last ? encodeCursor(list, positionOf(last)) : null,
  }
}

function entryOfMessage(row: Parameters<typeof shownMessage>[0]): TimelineEntry {
  const message = shownMessage(row)
  return { _id: message._id, kind: 'message', at: message.createdAt, message, activity: null }
}

function entryOfActivity(row: Stored<Activity>): TimelineEntry {
  const activity = withoutVersion(row)
  return { _id: activity._id, kind: 'activity', at: activity.at, message: null, activity }
}

const positionOf = ({ at, _id }: TimelineEntry): CursorPosition => ({ value: at, id: _id })

/** As the databases compare: moments and ids are plain ASCII. */
function compare(a: TimelineEntry, b: TimelineEntry): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1
  return a._id < b._id ? -1 : 1
}

import { hash } from 'node:crypto'
import {
  SourceFailure,
  type SourceModule,
  type SourcePosition,
  type SourceWindow,
} from '../../ports/connector.ts'
import type { Json, ZohoClient } from './zoho-client.ts'

export const pageSize = 200
/** Records that plain page numbers reach. */
const pagedMax = 2_000

/**
 * The checkpoint in a module. The next page begins at the moment of the last row, included, so that rows which move
 * or are deleted meanwhile shift no unread row past the page. Rows of one second that fill a whole page are read by
 * page numbers, and again until two passes saw the same rows.
 */
interface Position extends SourcePosition {
  readonly v: 1
  /** ISO moment of the oldest rows that may be unread; null for the beginning. */
  readonly anchor: string | null
  readonly page: number
  readonly pageToken: string | null
  /** Digest of the ids of this second in this pass. */
  readonly pass: string
  /** The digest of the pass before; null in the first one. */
  readonly passBefore: string | null
  /** Rows come by id, because the source does not keep the order of changes. */
  readonly byId: boolean
}

const start: Position = {
  v: 1,
  anchor: null,
  page: 1,
  pageToken: null,
  pass: '',
  passBefore: null,
  byId: false,
}

export interface RawPage {
  readonly rows: readonly Json[]
  readonly next: SourcePosition | null
  readonly sourceTime: string | null
}

interface Listing {
  readonly client: ZohoClient
  readonly module: SourceModule
  /** At most 50. */
  readonly fields: readonly string[]
  readonly window: SourceWindow
  readonly signal: AbortSignal
}

/** Reads the next page of a module. */
export async function readPage(listing: Listing, from: SourcePosition | null): Promise<RawPage> {
  const position = (from as Position | null) ?? { ...start, anchor: listing.window.since }
  const response = await requestPage(listing, position).catch((error: unknown) => {
    // An expired or mismatched page token: the anchor leads to the same rows.
    if (position.pageToken === null || !(error instanceof SourceFailure) || error.kind !== 'fatal')
      throw error
    return requestPage(listing, { ...position, page: 1, pageToken: null })
  })
  const { json, date: sourceTime } = response
  const rows = (json?.['data'] as readonly Json[] | undefined) ?? []
  const info = (json?.['info'] ?? {}) as Json
  if (!position.byId && !isInOrder(rows, position.anchor)) {
    // The first page of the other order replaces this one.
    return { rows: [], next: { ...start, byId: true }, sourceTime }
  }
  const seen = rows.filter((row) => isBefore(row, listing.window.before))
  if (position.byId) {
    const inside = seen.filter((row) => isSince(row, listing.window.since))
    return { rows: inside, next: nextById(position, info), sourceTime }
  }
  const isCut = seen.length < rows.length
  return { rows: seen, next: nextOf(position, { rows: seen, info, isCut }), sourceTime }
}

function requestPage({ client, module, fields, signal }: Listing, position: Position) {
  const { page, pageToken, byId, anchor } = position
  return client.get({
    path: `/crm/v8/${module}`,
    query: {
      fields: fields.join(','),
      per_page: pageSize,
      sort_by: byId ? 'id' : 'Modified_Time',
      sort_order: 'asc',
      ...(pageToken === null ? { page } : { page_token: pageToken }),
    },
    modifiedSince: byId ? null : anchor,
    signal,
  })
}

const msOf = (row: Json) => Date.parse(String(row['Modified_Time']))

function isInOrder(rows: readonly Json[], anchor: string | null): boolean {
  const least = anchor === null ? Number.NEGATIVE_INFINITY : Math.floor(Date.parse(anchor) / 1000) * 1000
  return rows.every((row, index) => {
    const before = rows[index - 1]
    return msOf(row) >= (before === undefined ? least : msOf(before))
  })
}

function isBefore(row: Json, before: string | null): boolean {
  return before === null || msOf(row) < Date.parse(before)
}

function isSince(row: Json, since: string | null): boolean {
  return since === null || msOf(row) >= Date.parse(since)
}

function nextById(position: Position, info: Json): Position | null {
  if (info['more_records'] !== true) return null
  const token = info['next_page_token']
  if (typeof token !== 'string') throw new SourceFailure('transient', 'The source sent no page token')
  return { ...position, pageToken: token }
}

interface ReadRows {
  readonly rows: readonly Json[]
  readonly info: Json
  readonly isCut: boolean
}

function nextOf(position: Position, { rows, info, isCut }: ReadRows): Position | null {
  const hasMore = info['more_records'] === true && !isCut
  const anchorMs = position.anchor === null ? null : Math.floor(Date.parse(position.anchor) / 1000) * 1000
  const last = rows.at(-1)
  const isOneSecond = last === undefined || (anchorMs !== null && msOf(last) === anchorMs)
  const ofSecond = rows.filter((row) => msOf(row) === anchorMs).map((row) => row['id'])
  const pass = ofSecond.length === 0 ? position.pass : hash('sha256', `${position.pass}${ofSecond.join()}`)
  if (isOneSecond && hasMore) return nextInSecond(position, info, pass)
  // The second is complete. It is read again when it took several pages and no pass before saw the same rows.
  if (position.page > 1 && pass !== position.passBefore) {
    return { ...start, anchor: position.anchor, passBefore: pass }
  }
  if (!hasMore || last === undefined) return null
  return { ...start, anchor: new Date(msOf(last)).toISOString() }
}

function nextInSecond(position: Position, info: Json, pass: string): Position {
  const page = position.page + 1
  if (page * pageSize <= pagedMax) return { ...position, page, pass }
  const token = info['next_page_token']
  if (typeof token !== 'string') throw new SourceFailure('transient', 'The source sent no page token')
  return { ...position, page, pageToken: token, pass }
}

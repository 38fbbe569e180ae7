import { createHash } from 'node:crypto'
import { type Dataset, offsetTime, type Row, type SortBy } from './dataset.ts'
import { isRichText } from './settings.ts'

export interface Reply {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

export const failed = (status: number, code: string, details: Row = {}, message = code): Reply => ({
  status,
  body: { code, details, message, status: 'error' },
})

const pagedMax = 2_000
const chainMax = 100_000
const fieldsMax = 50
const tokenLifetimeMs = 86_400_000
/** Characters of a rich text that a list shows. */
const richTextMax = 500

interface ListRequest {
  module: string
  query: URLSearchParams
  modifiedSince: string | undefined
}

/** `GET /crm/v8/{module}`: pages, page tokens, and the caps of both. */
export function listRecords(dataset: Dataset, { module, query, modifiedSince }: ListRequest): Reply {
  const fields = query.get('fields')?.split(',')
  if (fields === undefined) return failed(400, 'REQUIRED_PARAM_MISSING', { param_name: 'fields' })
  if (fields.length > fieldsMax) return failed(400, 'LIMIT_EXCEEDED', { limit: fieldsMax })
  const ids = query.get('ids')
  if (ids !== null) return byIds(dataset, ids.split(','), fields)
  const perPage = Math.min(Number(query.get('per_page') ?? 200), 200)
  const bound = bindingOf(module, query, modifiedSince)
  const start = startOf(query, { perPage, bound })
  if ('status' in start) return start
  const { rows, hasMore } = dataset.page({
    sortBy: (query.get('sort_by') ?? 'id') as SortBy,
    isAscending: query.get('sort_order') === 'asc',
    sinceMs: sinceMsOf(modifiedSince),
    skip: start.skip,
    limit: perPage,
  })
  if (rows.length === 0) return { status: modifiedSince === undefined ? 204 : 304 }
  const end = start.skip + rows.length
  const info = {
    per_page: perPage,
    count: rows.length,
    page: start.page,
    sort_by: query.get('sort_by') ?? 'id',
    sort_order: query.get('sort_order') ?? 'desc',
    more_records: hasMore,
    next_page_token: hasMore ? tokenOf(end, bound) : null,
    previous_page_token: null,
    page_token_expiry: offsetTime(Date.now() + 86_400_000),
    call: false,
    email: false,
  }
  return { status: 200, body: { data: rows.map((row) => onlyFields(row, fields)), info } }
}

function startOf(
  query: URLSearchParams,
  { perPage, bound }: { perPage: number; bound: string },
): { skip: number; page: number } | Reply {
  const token = query.get('page_token')
  const page = Number(query.get('page') ?? 1)
  if (token === null) {
    const message = `You can only get the first ${pagedMax} records without using page_token param`
    if (page * perPage > pagedMax)
      return failed(400, 'DISCRETE_PAGINATION_LIMIT_EXCEEDED', { limit: pagedMax }, message)
    return { skip: (page - 1) * perPage, page }
  }
  if (query.get('page') !== null) return failed(400, 'AMBIGUITY_DURING_PROCESSING')
  const [skip, binding, madeMs] = Buffer.from(token, 'base64url').toString().split('|')
  if (madeMs === undefined) return failed(400, 'INVALID_DATA', { param_name: 'page_token' })
  if (Date.now() - Number(madeMs) > tokenLifetimeMs) return failed(400, 'EXPIRED_VALUE')
  if (binding !== bound) return failed(400, 'TOKEN_BOUND_DATA_MISMATCH')
  if (Number(skip) >= chainMax) return failed(400, 'PAGINATION_LIMIT_EXCEEDED', { limit: chainMax })
  return { skip: Number(skip), page: Math.floor(Number(skip) / perPage) + 1 }
}

/** A token serves only requests with the same parameters. */
function bindingOf(module: string, query: URLSearchParams, modifiedSince: string | undefined): string {
  const names = ['fields', 'per_page', 'sort_by', 'sort_order', 'cvid', 'converted', 'territory_id']
  const text = [module, modifiedSince, ...names.map((name) => query.get(name))].join('|')
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

const tokenOf = (skip: number, bound: string) =>
  Buffer.from(`${skip}|${bound}|${Date.now()}`).toString('base64url')

function byIds(dataset: Dataset, ids: readonly string[], fields: readonly string[]): Reply {
  if (ids.length > 100) return failed(400, 'LIMIT_EXCEEDED', { limit: 100 })
  const rows = ids.map((id) => dataset.find(id)).filter((row) => row !== undefined)
  if (rows.length === 0) return { status: 204 }
  const info = { per_page: 200, count: rows.length, page: 1, more_records: false }
  return { status: 200, body: { data: rows.map((row) => onlyFields(row, fields)), info } }
}

function onlyFields(row: Row, fields: readonly string[]): Row {
  const named = fields.map((name): [string, unknown] => {
    const value = row[name] ?? null
    const isCut = isRichText(name) && typeof value === 'string'
    return [name, isCut ? value.slice(0, richTextMax) : value]
  })
  return { id: row['id'], ...Object.fromEntries(named) }
}

/** `GET /crm/v8/{module}/actions/fetch_full_data`: rich texts as they are, of up to 200 records. */
export function fetchFullData(dataset: Dataset, query: URLSearchParams): Reply {
  const ids = query.get('ids')?.split(',') ?? []
  const fields = query.get('fields')?.split(',') ?? []
  if (ids.length === 0) return failed(400, 'REQUIRED_PARAM_MISSING', { param_name: 'ids' })
  if (ids.length > 200) return failed(400, 'LIMIT_EXCEEDED', { limit: 200 })
  const rows = ids.map((id) => dataset.find(id)).filter((row) => row !== undefined)
  if (rows.length === 0) return { status: 204 }
  const data = rows.map((row) => ({
    id: row['id'],
    ...Object.fromEntries(fields.map((name) => [name, row[name] ?? null])),
  }))
  return { status: 200, body: { data } }
}

/** Second precision, included. */
function sinceMsOf(modifiedSince: string | undefined): number {
  const ms = Date.parse(modifiedSince ?? '')
  return Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : Math.floor(ms / 1000) * 1000
}

/** `GET /crm/v8/{module}/deleted`. */
export function listDeleted(
  dataset: Dataset,
  query: URLSearchParams,
  modifiedSince: string | undefined,
): Reply {
  const page = Number(query.get('page') ?? 1)
  const perPage = Math.min(Number(query.get('per_page') ?? 200), 200)
  const all = dataset.deletedSince(sinceMsOf(modifiedSince))
  const rows = all.slice((page - 1) * perPage, page * perPage)
  if (rows.length === 0) return { status: 204 }
  const data = rows.map(({ id, deletedMs }) => ({
    id,
    display_name: 'Deleted',
    type: 'recycle',
    deleted_by: null,
    created_by: null,
    deleted_time: offsetTime(deletedMs),
  }))
  const info = { per_page: perPage, count: rows.length, page, more_records: page * perPage < all.length }
  return { status: 200, body: { data, info } }
}

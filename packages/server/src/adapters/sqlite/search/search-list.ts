import { exactTotalMax } from '@crmkit/core/vocabulary'
import { type CursorPosition, decodeCursor, encodeCursor } from '../../../storage/cursor.ts'
import type { SearchTerm } from '../../../storage/search-text.ts'
import type { Sql } from '../connection/sql.ts'
import type { Condition, Order, PagingFilter, RawPage, RawRow } from '../lists/list-query.ts'
import type { SearchPlan } from './search-query.ts'

export interface SearchQuery {
  table: string
  columns: string
  order: Order
  /** Conditions on `t`, the table. */
  where: Condition[]
  paging: PagingFilter
  terms: readonly SearchTerm[]
  /** The one full-text table whose rows are the list's own; null when there are several. */
  indexTable: string | null
  /** Sources that together hold every match as `t`, the table; a row may be in several. */
  sources(plan: SearchPlan): SearchSource[]
}

export interface SearchSource {
  /** Tables and joins; `t` is the list's table. */
  from: string
  where: Condition[]
}

/** A match in the list's order, with what paging through all matches needs. */
export interface SearchKey {
  n: number
  sort_value: string | number
  id: string
}

/** Compares as SQLite does: texts by their bytes, which is not the order of JavaScript's code units. */
function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return a === b ? 0 : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

interface PlannedSearch {
  query: SearchQuery
  plan: SearchPlan
}

function isAfter(key: SearchKey, position: CursorPosition, isDescending: boolean): boolean {
  const compared = compareValues(key.sort_value, position.value) || compareValues(key.id, position.id)
  return isDescending ? compared < 0 : compared > 0
}

function startOf(keys: readonly SearchKey[], { order, paging }: SearchQuery): number {
  if (paging.cursor === undefined) return (paging.page - 1) * paging.limit
  const position = decodeCursor(paging.cursor, order)
  const start = keys.findIndex((key) => isAfter(key, position, order.isDescending))
  return start < 0 ? keys.length : start
}

/** Returns whether the index alone shows that there are too many matches, without reading any row. */
function hasTooMany(sql: Sql, tenantId: string, { query, plan }: PlannedSearch): boolean {
  const { indexTable, where } = query
  if (indexTable === null || plan.unsure.length > 0 || where.length > 0) return false
  const found = sql.tenant(tenantId).get<{ total: number }>(
    `SELECT count(*) AS total FROM (SELECT 1 FROM ${indexTable} AS f
       WHERE ${indexTable} MATCH ? AND f.rowid BETWEEN @first AND @last LIMIT ${exactTotalMax + 1})`,
    plan.match,
  )
  return (found?.total ?? 0) > exactTotalMax
}

/**
 * Returns all matches in order, by the index; undefined when there are more than are counted exactly. Then a scan in
 * the list's order finds a page of them soon.
 */
export function findSearchKeys(
  sql: Sql,
  tenantId: string,
  { query, plan }: PlannedSearch,
): SearchKey[] | undefined {
  const { order, where } = query
  if (hasTooMany(sql, tenantId, { query, plan })) return undefined
  const direction = order.isDescending ? 'DESC' : 'ASC'
  const selects = query.sources(plan).map((source) => {
    const conditions = [...source.where, ...where]
    const text = `SELECT t.n AS n, t.${order.column} AS sort_value, t.id AS id FROM ${source.from}
      WHERE ${conditions.map((condition) => condition.sql).join(' AND ')} LIMIT ${exactTotalMax + 1}`
    return { text: `SELECT * FROM (${text})`, params: conditions.flatMap(({ params }) => params) }
  })
  const keys = sql.tenant(tenantId).all<SearchKey>(
    `SELECT * FROM (${selects.map(({ text }) => text).join(' UNION ')})
     ORDER BY sort_value ${direction}, id ${direction}`,
    ...selects.flatMap(({ params }) => params),
  )
  return keys.length > exactTotalMax ? undefined : keys
}

export function readSearchPage(
  sql: Sql,
  tenantId: string,
  { query, keys }: { query: SearchQuery; keys: readonly SearchKey[] },
): RawPage {
  const { table, columns, order, paging } = query
  const start = startOf(keys, query)
  const text = `SELECT ${columns} FROM ${table} AS r WHERE r.tenant_id = @tenant AND r.n = ?`
  const wanted = keys.slice(start, start + paging.limit)
  const rows = wanted.flatMap((key) => {
    const row = sql.tenant(tenantId).get<RawRow>(text, key.n)
    return row ? [{ ...row, sort_value: key.sort_value }] : []
  })
  // The keys decide whether there is a next page: a row that was deleted since then must not end the list.
  const last = keys.length > start + wanted.length ? wanted.at(-1) : undefined
  const nextCursor = last ? encodeCursor(order.list, { value: last.sort_value, id: last.id }) : null
  return { rows, total: keys.length, nextCursor }
}

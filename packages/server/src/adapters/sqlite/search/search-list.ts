import { exactTotalMax } from '@crmkit/core/vocabulary'
import { type CursorPosition, decodeCursor, encodeCursor } from '../../../storage/cursor.ts'
import type { SearchTerm } from '../../../storage/search-text.ts'
import type { Sql } from '../connection/sql.ts'
import {
  allOf,
  type Condition,
  directionOf,
  type ListKey,
  type ListQuery,
  type Order,
  type PagingFilter,
  paramsOf,
  type RawPage,
  type RawRow,
} from '../lists/list-query.ts'
import { inIndex } from './search-conditions.ts'
import type { SearchPlan } from './search-query.ts'

export interface SearchQuery {
  table: string
  columns: string
  order: Order
  /** Conditions on `t`, the table. */
  where: Condition[]
  paging: PagingFilter
  terms: readonly SearchTerm[]
  /** One of these conditions on `t` makes a row a match, whatever its texts are. */
  also: Condition[]
  /** Sources that together hold every match, the one with the most texts first; a row may be in several. */
  sources(plan: SearchPlan): SearchSource[]
  /** The list with a comparison of every row. Only a filtered search that is not cached needs it. */
  scanned(): ListQuery
  /** The list without its search. */
  filtered(): ListQuery
}

/** A full-text table. Its rows, called `m`, are those of the list or belong to them. */
export interface SearchSource {
  indexTable: string
  table: string
  /** Joins the rows to those of the full-text table, called `f`. */
  rows: string
  /** Conditions on the rows. */
  where: Condition[]
  /** The id of the list's row; null when the rows are the list's own. */
  listId: string | null
  /** The part of the list's row that a match stands for; a whole one when the list's row has no other match. */
  share: Condition
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

function isAfter(key: ListKey, position: CursorPosition, isDescending: boolean): boolean {
  const compared = compareValues(key.sort_value, position.value) || compareValues(key.id, position.id)
  return isDescending ? compared < 0 : compared > 0
}

function startOf(keys: readonly ListKey[], { order, paging }: SearchQuery): number {
  if (paging.cursor === undefined) return (paging.page - 1) * paging.limit
  const position = decodeCursor(paging.cursor, order)
  const start = keys.findIndex((key) => isAfter(key, position, order.isDescending))
  return start < 0 ? keys.length : start
}

/** Returns whether the index alone shows that there are too many matches, without reading any row. */
function hasTooMany(sql: Sql, tenantId: string, { query, plan }: PlannedSearch): boolean {
  const [source, another] = query.sources(plan)
  if (!source || another || plan.unsure.length > 0 || query.where.length > 0) return false
  const { indexTable } = source
  const found = sql.tenant(tenantId).get<{ total: number }>(
    `SELECT count(*) AS total FROM (SELECT 1 FROM ${indexTable} AS f
       WHERE ${indexTable} MATCH ? AND f.rowid BETWEEN @first AND @last LIMIT ${exactTotalMax + 1})`,
    plan.match,
  )
  return (found?.total ?? 0) > exactTotalMax
}

/** Returns the condition that a source's row is, or belongs to, a row of the list. */
export function isInList({ listId }: SearchSource, { table, where }: SearchQuery): Condition[] {
  if (where.length === 0) return []
  const row = listId === null ? 't.n = m.n' : `t.id = ${listId}`
  return [
    {
      sql: `EXISTS (SELECT 1 FROM ${table} AS t WHERE t.tenant_id = @tenant AND ${row} AND ${allOf(where)})`,
      params: paramsOf(where),
    },
  ]
}

/** Returns the ids of the list's rows that a source finds, up to one more than are counted. */
function findIds(sql: Sql, tenantId: string, { query, plan }: PlannedSearch, source: SearchSource): string[] {
  const { indexTable, rows } = source
  const conditions = [...inIndex(indexTable, plan.match), ...source.where, ...isInList(source, query)]
  const text = `SELECT DISTINCT ${source.listId} AS id FROM ${indexTable} AS f CROSS JOIN ${rows}
    WHERE ${allOf(conditions)} LIMIT ${exactTotalMax + 1}`
  return sql
    .tenant(tenantId)
    .all<{ id: string }>(text, ...paramsOf(conditions))
    .map(({ id }) => id)
}

/** Returns the ids of rows that match without a text, up to one more than are counted. */
function findOthers(sql: Sql, tenantId: string, { table, where, also }: SearchQuery): string[] {
  if (also.length === 0) return []
  const text = `SELECT t.id AS id FROM ${table} AS t WHERE t.tenant_id = @tenant
    AND (${also.map((condition) => condition.sql).join(' OR ')}) ${where.map((condition) => `AND ${condition.sql}`).join(' ')} LIMIT ${exactTotalMax + 1}`
  return sql
    .tenant(tenantId)
    .all<{ id: string }>(text, ...paramsOf([...also, ...where]))
    .map(({ id }) => id)
}

/** Returns the keys of matches whose texts belong to other rows; undefined when there are too many. */
function findByParts(sql: Sql, tenantId: string, search: PlannedSearch): ListKey[] | undefined {
  const { table, order } = search.query
  const ids = new Set<string>(findOthers(sql, tenantId, search.query))
  for (const source of search.query.sources(search.plan)) {
    for (const id of findIds(sql, tenantId, search, source)) ids.add(id)
    if (ids.size > exactTotalMax) return undefined
  }
  const direction = directionOf(order)
  return sql.tenant(tenantId).all<ListKey>(
    `SELECT t.n AS n, t.${order.column} AS sort_value, t.id AS id FROM json_each(?) AS j
       CROSS JOIN ${table} AS t ON t.tenant_id = @tenant AND t.id = j.value
     ORDER BY sort_value ${direction}, id ${direction}`,
    JSON.stringify([...ids]),
  )
}

/** Returns the keys of matches whose texts are in the rows themselves; undefined when there are too many. */
function findByRows(
  sql: Sql,
  tenantId: string,
  { query, plan }: PlannedSearch,
  source: SearchSource,
): ListKey[] | undefined {
  const { indexTable, rows } = source
  const { order } = query
  const direction = directionOf(order)
  const conditions = [...inIndex(indexTable, plan.match), ...source.where, ...isInList(source, query)]
  const keys = sql.tenant(tenantId).all<ListKey>(
    `SELECT * FROM (SELECT m.n AS n, m.${order.column} AS sort_value, m.id AS id
       FROM ${indexTable} AS f CROSS JOIN ${rows} WHERE ${allOf(conditions)} LIMIT ${exactTotalMax + 1})
     ORDER BY sort_value ${direction}, id ${direction}`,
    ...paramsOf(conditions),
  )
  return keys.length > exactTotalMax ? undefined : keys
}

/**
 * Returns all matches in order, by the index; undefined when there are more than are counted exactly. Then a scan in
 * the list's order finds a page of them soon.
 */
export function findSearchKeys(sql: Sql, tenantId: string, search: PlannedSearch): ListKey[] | undefined {
  if (hasTooMany(sql, tenantId, search)) return undefined
  const [source, ...others] = search.query.sources(search.plan)
  if (!source) return []
  const isOwn = source.listId === null && others.length === 0
  return isOwn ? findByRows(sql, tenantId, search, source) : findByParts(sql, tenantId, search)
}

export function readSearchPage(
  sql: Sql,
  tenantId: string,
  { query, keys }: { query: SearchQuery; keys: readonly ListKey[] },
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

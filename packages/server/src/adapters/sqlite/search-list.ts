import { exactTotalMax } from '@crmkit/core'
import { type CursorPosition, decodeCursor } from '../../ports/cursor.ts'
import type { SearchTerm } from '../../ports/search-text.ts'
import {
  type Condition,
  type Order,
  type PagingFilter,
  type RawPage,
  type RawRow,
  toPage,
} from './list-query.ts'
import { matchExpression } from './search-query.ts'
import type { Sql, SqlValue } from './sql.ts'

export interface SearchQuery {
  table: string
  columns: string
  order: Order
  /** Conditions on `t`, the table. */
  where: Condition[]
  paging: PagingFilter
  terms: readonly SearchTerm[]
  /** A select of row numbers `n` that satisfy the terms; binds the index expression and the terms, `repeats` times. */
  candidates: { sql: string; repeats: number }
}

interface Key {
  n: number
  sort_value: string | number
  id: string
}

/** As SQLite compares text: by its bytes, which is not the order of JavaScript's code units. */
function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return a === b ? 0 : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

function isAfter(key: Key, position: CursorPosition, isDescending: boolean): boolean {
  const compared = compareValues(key.sort_value, position.value) || compareValues(key.id, position.id)
  return isDescending ? compared < 0 : compared > 0
}

function startOf(keys: readonly Key[], { order, paging }: SearchQuery): number {
  if (paging.cursor === undefined) return (paging.page - 1) * paging.limit
  const position = decodeCursor(paging.cursor, order)
  const start = keys.findIndex((key) => isAfter(key, position, order.isDescending))
  return start < 0 ? keys.length : start
}

/**
 * Finds by the index, for terms that match few rows: all matches are read, sorted and counted exactly.
 * Undefined when there are too many of them; then a scan in the list's order meets a page of them soon.
 */
export function searchByIndex(sql: Sql, tenantId: string, query: SearchQuery): RawPage | undefined {
  const { table, columns, order, where, paging, terms, candidates } = query
  const scoped = sql.tenant(tenantId)
  const direction = order.isDescending ? 'DESC' : 'ASC'
  const match: SqlValue[] = [matchExpression(terms), JSON.stringify(terms)]
  const params = Array.from({ length: candidates.repeats }).flatMap(() => match)
  const conditions = where.map(({ sql: condition }) => ` AND ${condition}`).join('')
  const keys = scoped.all<Key>(
    `SELECT * FROM (
       SELECT t.n AS n, t.${order.column} AS sort_value, t.id AS id FROM (${candidates.sql}) AS s
       CROSS JOIN ${table} AS t ON t.n = s.n AND t.tenant_id = @tenant WHERE true${conditions} LIMIT ${exactTotalMax + 1}
     ) ORDER BY sort_value ${direction}, id ${direction}`,
    ...[...params, ...where.flatMap((condition) => condition.params)],
  )
  if (keys.length > exactTotalMax) return undefined
  const start = startOf(keys, query)
  const rows = keys.slice(start, start + paging.limit + 1).flatMap((key) => {
    const row = scoped.get<RawRow>(
      `SELECT ${columns} FROM ${table} AS r WHERE r.tenant_id = @tenant AND r.n = ?`,
      key.n,
    )
    return row ? [{ ...row, sort_value: key.sort_value }] : []
  })
  return { ...toPage(rows, { order, limit: paging.limit, offset: null }), total: keys.length }
}

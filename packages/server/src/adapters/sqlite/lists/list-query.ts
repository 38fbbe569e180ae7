import { exactTotalMax } from '@crmkit/core/vocabulary'
import { type CursorPosition, decodeCursor, encodeCursor } from '../../../storage/cursor.ts'
import type { Sql, SqlValue } from '../connection/sql.ts'

export interface Condition {
  sql: string
  params: SqlValue[]
}

export interface Order {
  /** Identifies the list and its order in cursors. */
  list: string
  column: string
  isDescending: boolean
  isValue(value: unknown): boolean
}

export interface PagingFilter {
  page: number
  limit: number
  cursor?: string | undefined
}

/** A list as ranges of indexes: each arm is read in the list's order, and the arms are merged. */
export interface ListQuery {
  table: string
  /** The selected columns. */
  columns: string
  order: Order
  /** No row is in two arms. */
  arms: Arm[]
  /** A condition is a range of another column: an index of that column would find rows that then have to be sorted. */
  isSorted?: boolean
  /** Ways to count the list that are quicker than reading the arms, each by the range of another filter. */
  countedBy?: Arm[]
  paging: PagingFilter
}

export interface Arm {
  /** Tables and joins; binds the tenant. `keys` names the row number, the sort value and the id. */
  from: string
  keys: { n: string; value: string; id: string }
  /** The tenant, and the values of further columns by which an index begins that has the list's order. */
  range: Condition[]
  where: Condition[]
}

/** The place of a row in the list's order, with its row number. */
export interface ListKey {
  n: number
  sort_value: string | number
  id: string
}

export interface RawRow {
  sort_value: string | number
  id: string
  [column: string]: unknown
}

export interface RawPage {
  rows: RawRow[]
  /** Null when the page does not show the total, which then has to be counted. */
  total: number | null
  nextCursor: string | null
}

/** Returns the arm of a list without a helper table. */
export function tableArm(
  table: string,
  order: Order,
  { range = [], where }: { range?: Condition[]; where: Condition[] },
): Arm {
  const keys = { n: 'n', value: order.column, id: 'id' }
  return { from: table, keys, range: [{ sql: 'tenant_id = @tenant', params: [] }, ...range], where }
}

export const allOf = (where: readonly Condition[]) => where.map(({ sql }) => sql).join(' AND ')
export const paramsOf = (where: readonly Condition[]) => where.flatMap(({ params }) => params)

function armSql({ from, range, where }: Omit<Arm, 'keys'>): { body: string; params: SqlValue[] } {
  const all = [...range, ...where]
  return { body: `FROM ${from} WHERE ${allOf(all)}`, params: paramsOf(all) }
}

function afterCursor({ keys }: Arm, order: Order, position: CursorPosition | undefined): Condition {
  if (!position) return { sql: '', params: [] }
  const comparison = order.isDescending ? '<' : '>'
  return {
    sql: ` AND (${keys.value}, ${keys.id}) ${comparison} (?, ?)`,
    params: [position.value, position.id],
  }
}

/** So many rows are read in a list's order before an index of another column has to find and sort all of them. */
const probedRows = 2_000

interface KeysQuery {
  sql: string
  params: SqlValue[]
}

interface KeysRequest {
  order: Order
  position: CursorPosition | undefined
}

function keysOf(arm: Arm, { order, position }: KeysRequest): KeysQuery {
  const { n, value, id } = arm.keys
  const after = afterCursor(arm, order, position)
  const { body, params } = armSql(arm)
  const sql = `SELECT ${n} AS n, ${value} AS sort_value, ${id} AS id ${body}${after.sql}`
  return { sql, params: [...params, ...after.params] }
}

/** Each arm is in the list's order already: SQLite merges the arms row by row, as far as they are read. */
function mergedKeys(arms: readonly Arm[], request: KeysRequest): KeysQuery {
  const keys = arms.map((arm) => keysOf(arm, request))
  return {
    sql: keys.map(({ sql }) => sql).join(' UNION ALL '),
    params: keys.flatMap(({ params }) => params),
  }
}

/**
 * Returns the keys among the first rows of the list. The arms are merged before the conditions, which all of them have:
 * with a bound of its own each arm would end at another row, and rows between these would be missing.
 */
function firstKeys({ table, arms }: ListQuery, request: KeysRequest): KeysQuery {
  const direction = directionOf(request.order)
  const first = mergedKeys(
    arms.map((arm) => ({ ...arm, where: [] })),
    request,
  )
  const where = arms[0]?.where ?? []
  return {
    sql: `SELECT * FROM (
        ${first.sql} ORDER BY sort_value ${direction}, id ${direction} LIMIT ${probedRows}
      ) AS f
      WHERE EXISTS (SELECT 1 FROM ${table} WHERE n = f.n AND tenant_id = @tenant AND ${allOf(where)})`,
    params: [...first.params, ...paramsOf(where)],
  }
}

/** Returns the keys of all rows of a list, at most `limit` of them, in its order. */
export function readKeys(sql: Sql, tenantId: string, query: ListQuery, limit: number): ListKey[] {
  const { order, arms } = query
  const direction = directionOf(order)
  const keys = mergedKeys(arms, { order, position: undefined })
  const text = `${keys.sql} ORDER BY sort_value ${direction}, id ${direction} LIMIT ?`
  return sql.tenant(tenantId).all<ListKey>(text, ...keys.params, limit)
}

export function directionOf({ isDescending }: Order): 'ASC' | 'DESC' {
  return isDescending ? 'DESC' : 'ASC'
}

/** Reads a page: first the keys from the indexes, then only the rows of the page. */
export function readPage(sql: Sql, tenantId: string, query: ListQuery): RawPage {
  const { table, columns, order, paging } = query
  const position = paging.cursor === undefined ? undefined : decodeCursor(paging.cursor, order)
  const offset = position ? 0 : (paging.page - 1) * paging.limit
  const direction = directionOf(order)
  const read = (keys: KeysQuery) =>
    sql.tenant(tenantId).all<RawRow>(
      `SELECT k.sort_value, ${columns} FROM (
         ${keys.sql}
         ORDER BY sort_value ${direction}, id ${direction} LIMIT ? OFFSET ?
       ) AS k CROSS JOIN ${table} AS r ON r.n = k.n AND r.tenant_id = @tenant
       ORDER BY k.sort_value ${direction}, k.id ${direction}`,
      ...keys.params,
      paging.limit + 1,
      offset,
    )
  const isProbed = query.isSorted && query.arms.every(({ from }) => from === table)
  const probed = isProbed ? read(firstKeys(query, { order, position })) : []
  const rows = probed.length > paging.limit ? probed : read(mergedKeys(query.arms, { order, position }))
  return toPage(rows, { order, limit: paging.limit, offset: position ? null : offset })
}

interface PageShape {
  order: Order
  limit: number
  /** Null for a page after a cursor. */
  offset: number | null
}

/** Makes a page of at most `limit` + 1 rows: one more than the limit means that there is a next page. */
function toPage(rows: RawRow[], { order, limit, offset }: PageShape) {
  const hasMore = rows.length > limit
  const given = hasMore ? rows.slice(0, limit) : rows
  const last = given.at(-1)
  const isWhole = !hasMore && offset !== null && (rows.length > 0 || offset === 0)
  return {
    rows: given,
    total: isWhole ? offset + rows.length : null,
    nextCursor: hasMore && last ? encodeCursor(order.list, { value: last.sort_value, id: last.id }) : null,
  }
}

interface Counting {
  arms: readonly Arm[]
  /** Counts no further. */
  most?: number
}

function countRows(sql: Sql, tenantId: string, { arms, most }: Counting): number {
  const params: SqlValue[] = []
  const selects = arms.map((arm) => {
    const { body, params: armParams } = armSql(arm)
    params.push(...armParams)
    return `SELECT 1 ${body}`
  })
  const limit = most === undefined ? '' : ` LIMIT ${most}`
  const found = sql
    .tenant(tenantId)
    .get<{ total: number }>(
      `SELECT count(*) AS total FROM (${selects.join(' UNION ALL ')}${limit})`,
      ...params,
    )
  return found?.total ?? 0
}

/** Ranges are compared up to this size, which takes a few milliseconds. */
const comparedMax = 50_000

/** Returns the arm whose range is the shortest. No range is read further than a shorter one is long. */
function shortestOf(sql: Sql, tenantId: string, arms: readonly Arm[]): Arm | undefined {
  let [shortest] = arms
  let least = comparedMax
  for (const arm of arms) {
    const { body, params } = armSql({ ...arm, where: [] })
    const text = `SELECT count(*) AS size FROM (SELECT 1 ${body} LIMIT ?)`
    const { size } = sql.tenant(tenantId).get<{ size: number }>(text, ...params, least) ?? { size: 0 }
    if (size < least) [shortest, least] = [arm, size]
  }
  return shortest
}

interface ListCount {
  query: Pick<ListQuery, 'arms' | 'countedBy'>
  isCapped: boolean
}

/** Returns whether a list has at most so many rows, and reads no more of its index than that. */
export function isAtMost(sql: Sql, tenantId: string, arms: readonly Arm[], most: number): boolean {
  return countRows(sql, tenantId, { arms, most: most + 1 }) <= most
}

/** Counts the rows of a list. Of several ways to count, it takes the one that walks the shortest range. */
export function countList(sql: Sql, tenantId: string, { query, isCapped }: ListCount): number {
  const { arms, countedBy = [] } = query
  const shortest = countedBy.length > 1 ? shortestOf(sql, tenantId, countedBy) : countedBy[0]
  const most = isCapped ? { most: exactTotalMax + 1 } : {}
  return countRows(sql, tenantId, { arms: shortest ? [shortest] : arms, ...most })
}

export function equals(column: string, value: SqlValue | undefined): Condition[] {
  return value === undefined ? [] : [{ sql: `${column} = ?`, params: [value] }]
}

export function isOneOf(column: string, values: readonly string[] | undefined): Condition[] {
  if (values === undefined) return []
  return [{ sql: `${column} IN (${values.map(() => '?').join(', ')})`, params: [...values] }]
}

export function since(column: string, moment: string | number | undefined): Condition[] {
  return moment === undefined ? [] : [{ sql: `${column} >= ?`, params: [moment] }]
}

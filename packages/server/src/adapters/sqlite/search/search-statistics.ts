import type { RowRange, Sql } from '../connection/sql.ts'
import { quote } from './search-query.ts'

/** Statistics of a tenant's texts. They decide how a search is done, never what it finds. */
export interface SearchStatistics {
  /** An estimate of the number of rows, never too low. */
  rowCount: number
  /** Returns an estimate of the fraction of rows that have a token of the index. */
  fractionOf(token: string): number
}

/** A token is counted in so many rows in the middle of the table. */
const rowsCounted = 8_000
const leastFraction = 0.001
const countsMax = 10_000
const keptForMs = 5 * 60_000

/** Returns the row numbers that a tenant has used in a table: a part of its range. */
export function usedRange(sql: Sql, tenantId: string, table: string): RowRange | undefined {
  const range = sql.rangeOf(tenantId)
  const last = sql.tenant(tenantId).get<{ n: number }>(
    `SELECT n FROM ${table} NOT INDEXED WHERE tenant_id = @tenant AND n BETWEEN @first AND @last
       ORDER BY n DESC LIMIT 1`,
  )
  return range && last && { first: range.first, last: BigInt(last.n) }
}

export function sizeOf({ first, last }: RowRange): number {
  return Number(last - first) + 1
}

/** Returns equal parts of a range, of `size` rows each; the whole range when the parts would overlap. */
export function partsOf(range: RowRange, count: number, size: number): RowRange[] {
  const rows = sizeOf(range)
  if (count * size >= rows) return [range]
  return Array.from({ length: count }, (_, index) => {
    const first = range.first + BigInt(Math.floor(((index + 0.5) * rows) / count - size / 2))
    return { first, last: first + BigInt(size - 1) }
  })
}

interface CountedTable {
  /** The table of the rows. */
  table: string
  indexTable: string
}

/** Counts tokens in parts of the index when a search asks for them, and caches the counts. */
export function createStatistics(sql: Sql, { table, indexTable }: CountedTable) {
  let fractions = new Map<string, number>()
  let endsAt = 0

  function measure(tenantId: string, token: string, range: RowRange): number {
    const [part = range] = partsOf(range, 1, rowsCounted)
    const text = `SELECT count(*) AS total FROM ${indexTable} AS f WHERE ${indexTable} MATCH ?
      AND f.rowid BETWEEN max(?, @first) AND min(?, @last)`
    const found = sql.tenant(tenantId).get<{ total: number }>(text, quote(token), part.first, part.last)
    // A token that is not in this part may be in many rows of another one: numbers, say, which count upwards.
    return Math.max(leastFraction, (found?.total ?? 0) / sizeOf(part))
  }

  return (tenantId: string): SearchStatistics => {
    if (Date.now() > endsAt || fractions.size >= countsMax) {
      fractions = new Map()
      endsAt = Date.now() + keptForMs
    }
    const range = usedRange(sql, tenantId, table)
    return {
      rowCount: range ? sizeOf(range) : 0,
      fractionOf(token) {
        if (!range) return 0
        const key = `${tenantId} ${token}`
        const fraction = fractions.get(key) ?? measure(tenantId, token, range)
        fractions.set(key, fraction)
        return fraction
      },
    }
  }
}

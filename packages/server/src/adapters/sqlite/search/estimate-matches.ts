import { exactTotalMax } from '@crmkit/core/vocabulary'
import type { RowRange, Sql } from '../connection/sql.ts'
import { allOf, paramsOf } from '../lists/list-query.ts'
import { isInList, type SearchQuery, type SearchSource } from './search-list.ts'
import type { SearchPlan } from './search-query.ts'
import { partsOf, sizeOf, usedRange } from './search-statistics.ts'

/*
 * A search with more matches than are counted exactly is recognized by parts of the rows, spread evenly. Imports and
 * campaigns write many like rows together: a single part that is full of matches says nothing about the others.
 */

const parts = 6
/** So many parts may have few matches. */
const poorPartsMax = 1
/** Each part is at most so small a fraction of the rows. */
const fractionOfPart = 64
/** A part ends after so many candidates. Fewer of them are in a list with a filter. */
const candidatesMax = { all: 60, filtered: 300 }
/** The standard deviations by which the matches of a part may be too many. */
const deviations = 1.5

interface PartOfMatches {
  /** The list's rows that match; of a row with several matches, each is a part. */
  matches: number
  candidates: number
  /** How many of the part's rows were looked at. */
  rows: number
}

interface Part {
  source: SearchSource
  match: string
  range: RowRange
}

function readPart(
  sql: Sql,
  tenantId: string,
  query: SearchQuery,
  { source, match, range }: Part,
): PartOfMatches {
  const { indexTable, rows, where, share } = source
  const conditions = [...isInList(source, query), ...where]
  const most = query.where.length > 0 ? candidatesMax.filtered : candidatesMax.all
  const text = `SELECT count(*) AS candidates, max(k.n) AS last, total(k.share) AS matches FROM (
      SELECT m.n AS n, CASE WHEN ${allOf([{ sql: '1', params: [] }, ...conditions])} THEN ${share.sql} ELSE 0 END AS share
      FROM (SELECT f.rowid FROM ${indexTable} AS f WHERE ${indexTable} MATCH ?
        AND f.rowid BETWEEN max(?, @first) AND min(?, @last) LIMIT ${most}) AS f
      CROSS JOIN ${rows}) AS k`
  const found = sql
    .tenant(tenantId)
    .get<{ candidates: number; last: number | null; matches: number }>(
      text,
      ...paramsOf(conditions),
      ...share.params,
      match,
      range.first,
      range.last,
    )
  const { candidates = 0, last = null, matches = 0 } = found ?? {}
  const isFull = candidates === most && last !== null
  const end = isFull ? BigInt(last) : range.last
  return { candidates, matches, rows: sizeOf({ first: range.first, last: end }) }
}

export interface MatchEstimate {
  /** Certainly more rows match than are counted exactly. */
  isMany: boolean
  /** The rows that the index finds, whose texts would have to be compared; undefined when there are few rows. */
  candidates?: number
}

/** Estimates how many rows of a list match, from the source with the most texts. */
export function estimateMatches(
  sql: Sql,
  tenantId: string,
  { query, plan }: { query: SearchQuery; plan: SearchPlan },
): MatchEstimate {
  const [source] = query.sources(plan)
  const range = source && usedRange(sql, tenantId, source.table)
  if (!source || !range || sizeOf(range) <= exactTotalMax) return { isMany: false }
  const all = sizeOf(range)
  const read: PartOfMatches[] = []
  let poor = 0
  for (const part of partsOf(range, parts, Math.ceil(all / fractionOfPart))) {
    const found = readPart(sql, tenantId, query, { source, match: plan.match, range: part })
    read.push(found)
    const surely = found.matches - deviations * Math.sqrt(found.matches)
    const isPoor = (surely / found.rows) * all <= exactTotalMax
    if (isPoor) poor += 1
    if (poor > poorPartsMax || read.length - poor >= parts - poorPartsMax) break
  }
  const rows = read.reduce((sum, part) => sum + part.rows, 0)
  const candidates = read.reduce((sum, part) => sum + part.candidates, 0)
  return { isMany: poor <= poorPartsMax, candidates: (candidates / rows) * all }
}

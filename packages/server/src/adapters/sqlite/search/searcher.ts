import { exactTotalMax } from '@crmkit/core/vocabulary'
import type { Sql } from '../connection/sql.ts'
import { isAtMost, type ListKey, type RawPage, readKeys } from '../lists/list-query.ts'
import { estimateMatches } from './estimate-matches.ts'
import { findSearchKeys, readSearchPage, type SearchQuery } from './search-list.ts'
import { planSearch } from './search-query.ts'
import { createStatistics, type SearchStatistics } from './search-statistics.ts'

const cachedKeysMax = 100_000

/** Searches by the index. Returns undefined when there are too many matches: the list is then scanned in its order. */
export type Searcher = (tenantId: string, query: SearchQuery) => RawPage | undefined

/**
 * Caches the matches of the last searches as long as nothing is written to the database, so that paging finds them
 * only once. An entry without keys means too many matches.
 */
function createKeyCache(sql: Sql) {
  const cached = new Map<string, readonly ListKey[] | undefined>()
  let size = 0
  let version: number | undefined
  return (key: string, find: () => readonly ListKey[] | undefined): readonly ListKey[] | undefined => {
    const current = sql.across.get<{ data_version: number }>('PRAGMA data_version')?.data_version
    if (current !== version || size > cachedKeysMax) {
      cached.clear()
      size = 0
      version = current
    }
    if (cached.has(key)) return cached.get(key)
    const keys = find()
    cached.set(key, keys)
    size += 100 + (keys?.length ?? 0)
    return keys
  }
}

/** A filter finds so few rows that comparing each of them costs little. */
const fewRows = 500
/** Comparing a row of the list, with its messages, costs as much as comparing so many candidates of the index. */
const scanCost = 3

interface Search {
  query: SearchQuery
  statistics: SearchStatistics
}

/** Returns all matches; undefined when there are too many. */
function findMatches(sql: Sql, tenantId: string, { query, statistics }: Search): ListKey[] | undefined {
  const plan = planSearch(query.terms, statistics)
  const { isMany, candidates } = estimateMatches(sql, tenantId, { query, plan })
  if (isMany) return undefined
  const scannedMax = Math.min(exactTotalMax, Math.max(fewRows, Math.floor((candidates ?? 0) / scanCost)))
  const isFiltered = query.where.length > 0
  if (isFiltered && isAtMost(sql, tenantId, query.filtered().arms, scannedMax))
    return readKeys(sql, tenantId, query.scanned(), exactTotalMax)
  return findSearchKeys(sql, tenantId, { query, plan })
}

export function createSearcher(sql: Sql): Searcher {
  const ofCustomers = createStatistics(sql, { table: 'customers', indexTable: 'customer_search' })
  // Messages are by far the longest and the most of all searched texts.
  const ofMessages = createStatistics(sql, { table: 'messages', indexTable: 'message_search' })
  const cached = createKeyCache(sql)
  return (tenantId, query) => {
    const { table, order, terms, also, where } = query
    const key = JSON.stringify([tenantId, order.list, terms, also, where])
    const keys = cached(key, () => {
      const statistics = (table === 'customers' ? ofCustomers : ofMessages)(tenantId)
      return findMatches(sql, tenantId, { query, statistics })
    })
    return keys && readSearchPage(sql, tenantId, { query, keys })
  }
}

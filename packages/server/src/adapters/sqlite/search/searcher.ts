import { exactTotalMax } from '@crmkit/core/vocabulary'
import type { Sql } from '../connection/sql.ts'
import type { RawPage } from '../lists/list-query.ts'
import { findSearchKeys, readSearchPage, type SearchKey, type SearchQuery } from './search-list.ts'
import { planSearch } from './search-query.ts'
import { createCounter, createSampler } from './search-sample.ts'

const cachedKeysMax = 100_000

/** Searches by the index. Returns undefined when there are too many matches: the list is then scanned in its order. */
export type Searcher = (tenantId: string, query: SearchQuery) => RawPage | undefined

/**
 * Caches the matches of the last searches as long as nothing is written to the database, so that paging finds them
 * only once. An entry without keys means too many matches.
 */
function createKeyCache(sql: Sql) {
  const cached = new Map<string, readonly SearchKey[] | undefined>()
  let size = 0
  let version: number | undefined
  return (key: string, find: () => readonly SearchKey[] | undefined): readonly SearchKey[] | undefined => {
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

export function createSearcher(sql: Sql): Searcher {
  const sampleOf = createSampler(sql)
  // Messages are by far the longest and the most of all searched texts.
  const countedOf = createCounter(sql, 'message_search')
  const cached = createKeyCache(sql)
  return (tenantId, query) => {
    const { table, order, terms, where } = query
    const sample = (table === 'customers' ? sampleOf : countedOf)(tenantId)
    const key = JSON.stringify([tenantId, order.list, terms, where])
    const keys = cached(key, () =>
      where.length === 0 && sample.surelyExceeds(exactTotalMax, terms)
        ? undefined
        : findSearchKeys(sql, tenantId, { query, plan: planSearch(terms, sample) }),
    )
    return keys && readSearchPage(sql, tenantId, { query, keys })
  }
}

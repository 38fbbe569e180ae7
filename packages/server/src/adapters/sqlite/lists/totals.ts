import type { Sql } from '../connection/sql.ts'

interface SharedTotal {
  total: number
  endsAt: number
}

const sharedForMs = 10_000
const totalsMax = 1_000

/** A cache of totals: estimates are reused for a while, exact totals as long as nothing was written. */
export function createTotals(sql: Sql) {
  const shared = new Map<string, SharedTotal>()
  const exact = new Map<string, number>()
  let version: number | undefined

  function forgetOutdated(): void {
    const current = sql.across.get<{ data_version: number }>('PRAGMA data_version')?.data_version
    if (current !== version) exact.clear()
    version = current
  }

  return {
    find(key: string): number | undefined {
      forgetOutdated()
      const estimate = shared.get(key)
      if (estimate && estimate.endsAt > Date.now()) return estimate.total
      shared.delete(key)
      return exact.get(key)
    },
    /** Returns the version of the database at the last `find`. */
    version: () => version,
    /** Stores an exact total. `counted` is the version before the count: a total from before a write is not stored. */
    keepExact(key: string, total: number, counted: number | undefined): void {
      if (counted !== version) return
      if (exact.size >= totalsMax) exact.clear()
      exact.set(key, total)
    },
    share(key: string, total: number): void {
      if (shared.size >= totalsMax) shared.clear()
      shared.set(key, { total, endsAt: Date.now() + sharedForMs })
    },
    unshare: (key: string) => void shared.delete(key),
  }
}

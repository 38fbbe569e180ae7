import type { SystemStore } from '../../../ports/storage.ts'
import { plannedAheadAfter, replannedAttempt } from '../../../storage/rules/attempts.ts'
import { trusted } from '../connection/filters.ts'
import type { CollectionAccess, Database } from '../connection/scope.ts'

type Bound = Parameters<SystemStore['replanAttempts']>[0]

/** As long as a worker leases an attempt; one that ends much later was leased by a clock that was ahead. */
const leaseMs = 15_000

/** Tenants with an attempt that was planned ahead: one step of the index for each tenant. */
async function tenantsAhead(database: Database, after: string): Promise<string[]> {
  const found = await database
    .across()
    .pipe<{ _id: string }>('attempts', [
      { $sort: { tenantId: -1, 'row.createdAt': -1 } },
      { $group: { _id: '$tenantId', newest: { $first: '$row.createdAt' } } },
      { $match: { newest: { $gt: after } } },
    ])
  return found.map(({ _id }) => _id)
}

/** The due row goes first: when the process ends in between, the attempt is found again. */
async function replan(access: CollectionAccess, { now, limit }: Bound): Promise<number> {
  const isAhead = { 'row.createdAt': trusted({ $gt: plannedAheadAfter(now) }), 'row.status': 'pending' }
  const fields = ['id', 'row.createdAt', 'row.nextAttemptAt']
  const found = await access.find('attempts', isAhead, { fields, limit })
  const after = (ms: number) => new Date(Date.parse(now) + ms).toISOString()
  for (const { id, row } of found) {
    const before = {
      nextAttemptAt: row['nextAttemptAt'] as string | null,
      createdAt: String(row['createdAt']),
    }
    const { nextAttemptAt, createdAt } = replannedAttempt(before, now)
    const free = { ...access.one(id), 'keys.dueAt': trusted({ $gt: now }), 'keys.lockToken': null }
    await access.update('dueAttempts', free, { $set: { 'keys.dueAt': nextAttemptAt } })
    // It may be under way: the lease begins anew, and its result still counts.
    const leased = {
      ...access.one(id),
      'keys.dueAt': trusted({ $gt: after(2 * leaseMs) }),
      'keys.lockToken': trusted({ $ne: null }),
    }
    await access.update('dueAttempts', leased, { $set: { 'keys.dueAt': after(leaseMs) } })
    const $set = { 'row.createdAt': createdAt, 'row.nextAttemptAt': nextAttemptAt }
    await access.update('attempts', { ...access.one(id), 'row.status': 'pending' }, { $set })
  }
  return found.length
}

/** Goes from tenant to tenant until so many are planned anew. */
export async function replanAttempts(database: Database, { now, limit }: Bound): Promise<number> {
  let replanned = 0
  for (const tenantId of await tenantsAhead(database, plannedAheadAfter(now))) {
    if (replanned >= limit) break
    replanned += await replan(database.tenant(tenantId), { now, limit: limit - replanned })
  }
  return replanned
}

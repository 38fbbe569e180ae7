import type { SystemStore } from '../../../ports/system-store.ts'
import { plannedAheadAfter, replannedAttempt } from '../../../storage/rules/attempts.ts'
import type { CollectionAccess, Database } from '../connection/access.ts'
import { trusted } from '../connection/filters.ts'

type Bound = Parameters<SystemStore['replanAttempts']>[0]

/** How long a worker leases an attempt. A lease that ends much later was given by a clock that was ahead. */
const leaseMs = 15_000

/** Returns tenants with an attempt that was created in the future: one index lookup for each tenant. */
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

/** Updates the due row before the attempt: when the process ends in between, the attempt is found again. */
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
    // A leased attempt may be running: its lease begins anew, and its result is still accepted.
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

/** Replans attempts tenant by tenant, up to `limit`; returns how many. */
export async function replanAttempts(database: Database, { now, limit }: Bound): Promise<number> {
  let replanned = 0
  for (const tenantId of await tenantsAhead(database, plannedAheadAfter(now))) {
    if (replanned >= limit) break
    replanned += await replan(database.tenant(tenantId), { now, limit: limit - replanned })
  }
  return replanned
}

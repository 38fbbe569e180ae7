import type { SystemStore } from '../../ports/storage.ts'
import { plannedAheadAfter, replannedAttempt } from '../../ports/storage-rules/attempts.ts'
import { trusted } from './filters.ts'
import type { Database, Reach } from './scope.ts'

type Bound = Parameters<SystemStore['replanAttempts']>[0]

/** Twice the longest lease: one that ends later was made by a clock that was ahead. */
const leaseMaxMs = 30_000

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
async function replan(reach: Reach, { now, limit }: Bound): Promise<number> {
  const isAhead = { 'row.createdAt': trusted({ $gt: plannedAheadAfter(now) }), 'row.status': 'pending' }
  const fields = ['id', 'row.createdAt', 'row.nextAttemptAt']
  const found = await reach.find('attempts', isAhead, { fields, limit })
  const leaseEnd = new Date(Date.parse(now) + leaseMaxMs).toISOString()
  const isFree = [{ 'keys.lockToken': null }, { 'keys.dueAt': trusted({ $gt: leaseEnd }) }]
  for (const { id, row } of found) {
    const before = {
      nextAttemptAt: row['nextAttemptAt'] as string | null,
      createdAt: String(row['createdAt']),
    }
    const { nextAttemptAt, createdAt } = replannedAttempt(before, now)
    const due = { ...reach.one(id), 'keys.dueAt': trusted({ $gt: now }), $or: isFree }
    await reach.update('dueAttempts', due, { $set: { 'keys.dueAt': nextAttemptAt } })
    const $set = { 'row.createdAt': createdAt, 'row.nextAttemptAt': nextAttemptAt }
    await reach.update('attempts', { ...reach.one(id), 'row.status': 'pending' }, { $set })
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

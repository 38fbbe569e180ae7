import type { RetentionBounds, SystemStore } from '../../../ports/system-store.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import { endingKinds } from '../../../storage/kinds/derive.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { CollectionAccess, Database } from '../connection/access.ts'
import { trusted } from '../connection/filters.ts'
import { deliveryQueuesOfTenant } from '../deliveries/attempt-rows.ts'

interface Bound {
  /** Rows that ended before this moment are deleted. */
  before: string
  limit: number
}
/** Deletes at most `limit` rows; returns how many. */
type RemoveBatch = (bound: Bound) => Promise<number>

/** Ids that are checked in one batch. */
const batchMax = 500

/** Sessions are found across tenants, by the last of their two ends. */
const endedKinds = endingKinds().filter(({ kind }) => kind !== 'sessions')
type ExpiringName = Kind | 'attempts' | 'events'

/** Returns the tenants whose oldest row is older than the bound: one index lookup for each tenant. */
async function tenantsWithOld(
  database: Database,
  name: ExpiringName,
  { field, before }: { field: string; before: string },
): Promise<string[]> {
  const found = await database
    .across()
    .pipe<{ _id: string }>(name, [
      { $sort: { tenantId: 1, [field]: 1 } },
      { $group: { _id: '$tenantId', oldest: { $first: `$${field}` } } },
      { $match: { oldest: { $lt: before } } },
    ])
  return found.map(({ _id }) => _id)
}

/** Deletes rows tenant by tenant, up to the limit. */
function perTenant(
  database: Database,
  { name, field }: { name: ExpiringName; field: string },
  remove: (access: CollectionAccess, bound: Bound) => Promise<number>,
): RemoveBatch {
  return async ({ before, limit }) => {
    if (limit === 0) return 0
    let removed = 0
    for (const tenantId of await tenantsWithOld(database, name, { field, before })) {
      removed += await remove(database.tenant(tenantId), { before, limit: limit - removed })
      if (removed >= limit) break
    }
    return removed
  }
}

function removeSessions(database: Database): RemoveBatch {
  return async ({ before, limit }) => {
    if (limit === 0) return 0
    const across = database.across()
    const isOver = { 'keys.overAt': trusted({ $lte: before }) }
    const found = await across.find('sessions', isOver, { limit, fields: ['tenantId', 'id'] })
    return across.removeByRefs('sessions', found, isOver)
  }
}

/** The collections of the tokens by which rows are found across tenants. */
const pointersOf: Readonly<Partial<Record<Kind, 'widgetTokens' | 'signInStates'>>> = {
  widgetSessions: 'widgetTokens',
  sourceSignIns: 'signInStates',
}

function removeEnded(name: Kind, field: string) {
  return async (access: CollectionAccess, { before, limit }: Bound): Promise<number> => {
    const isOver = { [field]: trusted({ $lt: before }) }
    const found = await access.find(name, isOver, { limit, fields: ['id'] })
    const ended = { ...isOver, ...access.among(found.map(({ id }) => id)) }
    const pointers = pointersOf[name]
    if (pointers !== undefined) await access.remove(pointers, access.among(found.map(({ id }) => id)))
    return access.remove(name, ended)
  }
}

async function removeAttempts(access: CollectionAccess, ids: readonly string[]): Promise<number> {
  await access.remove('dueAttempts', access.among(ids))
  return access.remove('attempts', access.among(ids))
}

/** Deletes old attempts. A pending attempt of an active webhook never expires: its receiver may have been down. */
async function removeOldAttempts(access: CollectionAccess, { before, limit }: Bound): Promise<number> {
  const active = await access.find('webhooks', { 'row.isActive': true }, { fields: ['id'] })
  const isUnneeded = [
    { 'row.status': trusted({ $ne: 'pending' }) },
    { 'row.webhookId': trusted({ $nin: active.map(({ id }) => id) }) },
  ]
  const filter = { 'row.createdAt': trusted({ $lt: before }), $or: isUnneeded }
  const found = await access.find('attempts', filter, { limit, fields: ['id'], sort: { 'row.createdAt': 1 } })
  return removeAttempts(
    access,
    found.map(({ id }) => id),
  )
}

function removeAttemptsOfRemovedWebhooks(database: Database): RemoveBatch {
  return async ({ limit }) => {
    if (limit === 0) return 0
    const [webhook] = await database.across().find('removedWebhooks', {}, { limit: 1 })
    if (!webhook) return 0
    const { tenantId, id } = webhook
    const access = database.tenant(tenantId)
    const found = await access.find('attempts', { 'row.webhookId': id }, { limit, fields: ['id'] })
    const removed = await removeAttempts(
      access,
      found.map((row) => row.id),
    )
    if (found.length < limit) {
      await access.remove('dueAttempts', deliveryQueuesOfTenant(tenantId, id))
      await access.remove('removedWebhooks', access.one(id))
    }
    return removed
  }
}

/** Returns the subset of these events that no pending attempt needs. */
async function withoutPending(access: CollectionAccess, ids: readonly string[]): Promise<string[]> {
  const waiting = { 'row.eventId': trusted({ $in: [...ids] }), 'row.status': 'pending' }
  const attempts = await access.find('attempts', waiting, { fields: ['row.eventId'] })
  const needed = new Set(attempts.map(({ row }) => row['eventId']))
  return ids.filter((id) => !needed.has(id))
}

/** Deletes old events, except those that a pending attempt needs. */
async function removeOldEvents(access: CollectionAccess, { before, limit }: Bound): Promise<number> {
  const filter = { 'row.timestamp': trusted({ $lt: before }) }
  let removed = 0
  let needed = 0
  while (removed < limit) {
    const options = { sort: { 'row.timestamp': 1 }, skip: needed, limit: batchMax, fields: ['id'] } as const
    const found = await access.find('events', filter, options)
    if (found.length === 0) break
    const free = await withoutPending(
      access,
      found.map(({ id }) => id),
    )
    removed += await access.remove('events', access.among(free.slice(0, limit - removed)))
    needed += found.length - free.length
  }
  return removed
}

/** Deletes rows whose retention period is over, tenant by tenant; returns how many. */
export function createRetention(database: Database): SystemStore['removeExpired'] {
  const ended = endedKinds.map(({ kind: name, column }) => {
    const field = `row.${column}`
    return perTenant(database, { name, field }, removeEnded(name, field))
  })
  const sessions = removeSessions(database)
  const logs = [
    removeAttemptsOfRemovedWebhooks(database),
    perTenant(database, { name: 'attempts', field: 'row.createdAt' }, removeOldAttempts),
    perTenant(database, { name: 'events', field: 'row.timestamp' }, removeOldEvents),
  ]
  return async ({ now, logsBefore, limit }: RetentionBounds) => {
    let removed = 0
    for (const remove of [...ended, sessions])
      removed += await remove({ before: now, limit: limit - removed })
    passFaultPoint('during-retention')
    for (const remove of logs) removed += await remove({ before: logsBefore, limit: limit - removed })
    return removed
  }
}

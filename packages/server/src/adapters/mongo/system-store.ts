import type { SystemStore } from '../../ports/system-store.ts'
import { identitiesPerEmail } from '../../storage/kinds/identities.ts'
import type { Kind, Records } from '../../storage/kinds/registry.ts'
import { upgradeTaskPrefix } from '../../storage/kinds/tasks.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import { emailForms } from '../../storage/rules/email-forms.ts'
import { ifReadable } from '../../storage/rules/readable-rows.ts'
import type { Database, StoredRow } from './connection/access.ts'
import { type Filter, isOneOf, trusted } from './connection/filters.ts'
import type { Gate } from './connection/gate.ts'
import { readInstallation } from './connection/migrate.ts'
import { createClaims } from './deliveries/claims.ts'
import { replanAttempts } from './deliveries/replan.ts'
import { createAcrossReads } from './lists/across-reads.ts'
import { toRecord } from './tenant-store.ts'
import { readAllRows } from './upkeep/all-rows.ts'
import { measureBacklog } from './upkeep/backlog.ts'
import { createLeases } from './upkeep/leases.ts'
import { createRetention } from './upkeep/retention.ts'
import { removeTenantRows } from './upkeep/tenant-removal.ts'
import { addRequestMetrics, addUsage } from './upkeep/usage.ts'

interface SystemStoreParts {
  database: Database
  gate: Gate
  commit: SystemStore['commit']
  sequenceEvents: SystemStore['sequenceEvents']
}

interface Owned<K extends Kind> {
  tenantId: TenantId
  record: Stored<Records[K]>
}

const touchEveryMs = 60_000

function owned<K extends Kind>(kind: K, row: StoredRow): Owned<K> {
  return { tenantId: row.tenantId as TenantId, record: toRecord(kind, row) }
}

function createFinders(database: Database) {
  const across = database.across()

  async function findOwned<K extends Kind>(kind: K, filter: Filter): Promise<Owned<K> | undefined> {
    const [found] = await across.find(kind, filter, { limit: 1 })
    return found && owned(kind, found)
  }

  return { across, findOwned }
}

function createLookups({ database, gate }: SystemStoreParts) {
  const { across, findOwned } = createFinders(database)
  const lookups: Pick<
    SystemStore,
    | 'hasTenants'
    | 'findTenant'
    | 'findTenants'
    | 'listTenants'
    | 'findSession'
    | 'findIdentity'
    | 'findSetting'
    | 'listIdentitiesByEmail'
    | 'listMembers'
    | 'listTasks'
    | 'findTenantWithTask'
  > = {
    hasTenants: () => gate.pass(async () => (await across.count('tenants', {}, 1)) > 0),
    findTenant: (id) =>
      gate.pass(async () => {
        const found = await database.tenant(id).findOne('tenants', id)
        return found && { ...toRecord('tenants', found), tenantId: id as TenantId }
      }),
    findTenants: (ids) =>
      gate.pass(async () => {
        const refs = ids.map((id) => ({ tenantId: id, id }))
        const found = refs.length === 0 ? [] : await across.findByRefs('tenants', refs)
        return found.flatMap((row) =>
          ifReadable(() => ({ ...toRecord('tenants', row), tenantId: row.tenantId as TenantId })),
        )
      }),
    listTenants: ({ after, limit }) =>
      gate.pass(async () => {
        const isLater = { id: trusted({ $gt: after }) }
        const found = await across.find('tenants', isLater, { sort: { id: 1 }, limit })
        return found.flatMap((row) =>
          ifReadable(() => ({ ...toRecord('tenants', row), tenantId: row.tenantId as TenantId })),
        )
      }),
    findSession: (id) =>
      gate.pass(async () => {
        const found = await findOwned('sessions', { id })
        return found && { tenantId: found.tenantId, session: found.record }
      }),
    findSetting: (name) =>
      gate.pass(async () => (await findOwned('settings', database.tenant('').one(name)))?.record),
    findIdentity: (id) =>
      gate.pass(async () => (await findOwned('identities', database.tenant('').one(id)))?.record),
    listIdentitiesByEmail: (email) =>
      gate.pass(async () => {
        const sort = { 'row.createdAt': 1, id: 1 } as const
        const options = { sort, limit: identitiesPerEmail }
        const wanted = isOneOf('row.email', emailForms(email))
        const found = await database.tenant('').find('identities', wanted, options)
        return found.flatMap((row) => ifReadable(() => toRecord('identities', row)))
      }),
    listMembers: ({ tenantId, email }) =>
      gate.pass(async () => {
        const access = database.tenant(tenantId)
        const found = await access.find('users', isOneOf('row.emailNormalized', emailForms(email)))
        return found.flatMap((row) =>
          ifReadable(() => ({ tenantId: row.tenantId as TenantId, user: toRecord('users', row) })),
        )
      }),
    findTenantWithTask: (behind) =>
      gate.pass(async () => {
        for (let after = behind; ; ) {
          // No id is behind it, and those of upgrades are behind all others of their tenant.
          const bounds = { after: { tenantId: after, id: '~' }, rowsMax: 100, bytesMax: 1_000_000 }
          const page = await across.page('tasks', bounds)
          const found = page.find(({ id }) => id < upgradeTaskPrefix)
          const last = page.at(-1)
          if (found !== undefined || last === undefined) return found?.tenantId as TenantId | undefined
          after = last.tenantId
        }
      }),
    listTasks: (limit, from = '') =>
      gate.pass(async () => {
        const isLater = { id: trusted({ $gte: from }) }
        const found = await across.find('tasks', isLater, { sort: { id: 1, tenantId: 1 }, limit })
        return found.flatMap((row) =>
          ifReadable(() => ({ tenantId: row.tenantId as TenantId, task: toRecord('tasks', row) })),
        )
      }),
  }
  return lookups
}

type KeyUse = Parameters<SystemStore['touchApiKeys']>[0][number]

/** Stores the use of a key. The condition is part of the write, so that only one of many processes writes. */
async function touchApiKey(database: Database, { tenantId, id, at }: KeyUse): Promise<void> {
  const access = database.tenant(tenantId)
  const minuteBefore = new Date(Date.parse(at) - touchEveryMs).toISOString()
  const isOld = [{ 'row.lastUsedAt': null }, { 'row.lastUsedAt': trusted({ $lte: minuteBefore }) }]
  await access.update('apiKeys', { ...access.one(id), $or: isOld }, { $set: { 'row.lastUsedAt': at } })
}

export function createSystemStore(parts: SystemStoreParts): SystemStore {
  const { database, gate, commit, sequenceEvents } = parts
  const claims = createClaims(database)
  const leases = createLeases(database)
  const removeExpired = createRetention(database)
  return {
    commit,
    across: createAcrossReads(parts),
    ...createLookups(parts),
    listDeliveryQueues: (query) => gate.pass(() => claims.deliveryQueues(query)),
    claimDueAttempts: (claim) => gate.pass(() => claims.claim(claim)),
    replanAttempts: (bound) => gate.pass(() => replanAttempts(database, bound)),
    finishAttempts: (results) => gate.pass(() => claims.finish(results)),
    installationId: () => gate.pass(() => readInstallation(database)),
    readRows: (query) => gate.pass(() => readAllRows(database, query)),
    countRows: ({ kind, tenantId }) => gate.pass(() => database.tenant(tenantId).countAll(kind)),
    removeTenantRows: (of) => gate.pass(() => removeTenantRows(database, of)),
    backlog: (limit) => gate.pass(() => measureBacklog(database, limit)),
    takeLease: (claim) => gate.pass(() => leases.take(claim)),
    releaseLease: (lease) => gate.pass(() => leases.release(lease)),
    listEndedLeases: (of) => gate.pass(() => leases.listEnded(of)),
    sequenceEvents: (limit) => gate.pass(() => sequenceEvents(limit)),
    // Its index holds what is counted, and a counter that a tenant shares would make its commits conflict.
    countLabelDay: async () => null,
    removeExpired: (keep) => gate.pass(() => removeExpired(keep)),
    touchApiKeys: (uses) =>
      gate.pass(async () => {
        await Promise.all(uses.map((use) => touchApiKey(database, use)))
      }),
    addUsage: (increments) => gate.pass(() => addUsage(database, increments)).catch(() => increments),
    addRequestMetrics: (increments) =>
      gate.pass(() => addRequestMetrics(database, increments)).catch(() => increments),
    ping: () =>
      gate.pass(() =>
        database
          .across()
          .upsert('serverState', 'heartbeat', { $set: { row: { at: new Date().toISOString() } } }),
      ),
  }
}

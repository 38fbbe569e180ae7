import type { SystemStore } from '../../ports/system-store.ts'
import { identitiesPerEmail } from '../../storage/kinds/identities.ts'
import type { Kind, Records } from '../../storage/kinds/registry.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import { emailForms } from '../../storage/rules/email-forms.ts'
import { ifReadable } from '../../storage/rules/readable-rows.ts'
import type { Database, RowRef, StoredRow } from './connection/access.ts'
import { type Filter, isOneOf, trusted } from './connection/filters.ts'
import type { Gate } from './connection/gate.ts'
import { installationRow } from './connection/migrate.ts'
import { createClaims } from './deliveries/claims.ts'
import { replanAttempts } from './deliveries/replan.ts'
import { findErasures, tenantsWithErasures } from './erasure/erasures.ts'
import { toRecord } from './tenant-store.ts'
import { readAllRows } from './upkeep/all-rows.ts'
import { measureBacklog } from './upkeep/backlog.ts'
import { createLeases } from './upkeep/leases.ts'
import { createRetention } from './upkeep/retention.ts'
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

  /** Returns the rows of these pointers, in their order, without rows that were deleted in the meantime. */
  async function follow<K extends Kind>(kind: K, pointers: readonly RowRef[]): Promise<Owned<K>[]> {
    const rows = await across.findByRefs(kind, pointers)
    return pointers.flatMap(({ tenantId, id }) => {
      const row = rows.find((candidate) => candidate.tenantId === tenantId && candidate.id === id)
      return row ? ifReadable(() => owned(kind, row)) : []
    })
  }

  return { across, findOwned, follow }
}

function createInboxLookups({
  database,
  gate,
}: SystemStoreParts): Pick<
  SystemStore,
  'findInboxByWidgetKey' | 'findInboxByInboundToken' | 'findInboxByEmailAddress'
> {
  const { across, follow } = createFinders(database)
  return {
    findInboxByWidgetKey: (key) =>
      gate.pass(async () => {
        const [found] = await follow('inboxes', await across.find('widgetKeys', { 'keys.widgetKey': key }))
        return found && { tenantId: found.tenantId, inbox: found.record }
      }),
    findInboxByInboundToken: (tokenHash) =>
      gate.pass(async () => {
        const current = await across.find('inboundTokens', { 'keys.inboundToken': tokenHash })
        const previous = await across.find('previousInboundTokens', {
          'keys.previousInboundToken': tokenHash,
        })
        const [found] = await follow('inboxes', [...current, ...previous])
        return found && { tenantId: found.tenantId, inbox: found.record }
      }),
    findInboxByEmailAddress: (address) =>
      gate.pass(async () => {
        const pointers = await across.find(
          'emailAddresses',
          isOneOf('keys.emailAddress', emailForms(address)),
        )
        const [found] = await follow('inboxes', pointers)
        return found && { tenantId: found.tenantId, inbox: found.record }
      }),
  }
}

function createLookups({ database, gate }: SystemStoreParts) {
  const { across, findOwned, follow } = createFinders(database)
  const lookups: Pick<
    SystemStore,
    | 'findApiKeyByHash'
    | 'hasTenants'
    | 'findTenant'
    | 'listTenants'
    | 'findSession'
    | 'findIdentity'
    | 'findWidgetSession'
    | 'findSourceSignIn'
    | 'findSetting'
    | 'listIdentitiesByEmail'
    | 'listMembers'
    | 'listMemberships'
  > = {
    findApiKeyByHash: (keyHash) =>
      gate.pass(async () => {
        const [found] = await follow('apiKeys', await across.find('keyHashes', { 'keys.keyHash': keyHash }))
        return found && { tenantId: found.tenantId, apiKey: found.record }
      }),
    findWidgetSession: (tokenHash) =>
      gate.pass(async () => {
        const pointers = await across.find('widgetTokens', { 'keys.tokenHash': tokenHash })
        const [found] = await follow('widgetSessions', pointers)
        return found && { tenantId: found.tenantId, session: found.record }
      }),
    findSourceSignIn: (stateHash) =>
      gate.pass(async () => {
        const pointers = await across.find('signInStates', { 'keys.stateHash': stateHash })
        const [found] = await follow('sourceSignIns', pointers)
        return found && { tenantId: found.tenantId, signIn: found.record }
      }),
    hasTenants: () => gate.pass(async () => (await across.count('tenants', {}, 1)) > 0),
    findTenant: (id) =>
      gate.pass(async () => {
        const found = await database.tenant(id).findOne('tenants', id)
        return found && { ...toRecord('tenants', found), tenantId: id as TenantId }
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
    listMemberships: (identityId) =>
      gate.pass(async () => {
        const sort = { 'keys.createdAt': 1, _id: 1 } as const
        const pointers = await across.find('memberships', { 'keys.identityId': identityId }, { sort })
        const found = await follow('users', pointers)
        return found.map(({ tenantId, record }) => ({ tenantId, user: record }))
      }),
  }
  return lookups
}

function createDueReads({ database, gate }: SystemStoreParts) {
  const { across, follow } = createFinders(database)
  const sort = { 'keys.dueAt': 1, _id: 1 } as const
  const dueWork: Pick<
    SystemStore,
    | 'listDueSnoozes'
    | 'listDueAttachments'
    | 'listDueDrafts'
    | 'listDueImports'
    | 'listDueSyncs'
    | 'nextSnoozeAt'
    | 'listTasks'
  > = {
    listTasks: (limit) =>
      gate.pass(async () => {
        const found = await across.find('tasks', {}, { sort: { id: 1, tenantId: 1 }, limit })
        return found.flatMap((row) =>
          ifReadable(() => {
            const { tenantId, record } = owned('tasks', row)
            return { tenantId, task: record }
          }),
        )
      }),
    listDueAttachments: (now, limit) =>
      gate.pass(async () => {
        const isDue = { 'keys.dueAt': trusted({ $lte: now }) }
        const due = await across.find('dueAttachments', isDue, { sort, limit })
        const found = await follow('attachments', due)
        return found.map(({ tenantId, record }) => ({ tenantId, attachment: record }))
      }),
    listDueDrafts: (now, limit) =>
      gate.pass(async () => {
        const isDue = { 'keys.dueAt': trusted({ $lte: now }) }
        const found = await follow('drafts', await across.find('dueDrafts', isDue, { sort, limit }))
        return found.map(({ tenantId, record }) => ({ tenantId, draft: record }))
      }),
    listDueImports: (now, limit) =>
      gate.pass(async () => {
        const isDue = { 'keys.dueAt': trusted({ $lte: now }) }
        const found = await follow('importRuns', await across.find('dueImports', isDue, { sort, limit }))
        return found.map(({ tenantId, record }) => ({ tenantId, run: record }))
      }),
    listDueSyncs: (now, limit) =>
      gate.pass(async () => {
        const isDue = { 'keys.autoSyncDueAt': trusted({ $lte: now }) }
        const order = { 'keys.autoSyncDueAt': 1, _id: 1 } as const
        const due = await across.find('dueSyncs', isDue, { sort: order, limit })
        const found = await follow('integrations', due)
        return found.map(({ tenantId, record }) => ({ tenantId, integration: record }))
      }),
    listDueSnoozes: (now, limit) =>
      gate.pass(async () => {
        const isDue = { 'keys.dueAt': trusted({ $lte: now }) }
        const due = await across.find('dueSnoozes', isDue, { sort, limit })
        const found = await follow('conversations', due)
        const erasing = await tenantsWithErasures(database, [
          ...new Set(found.map(({ tenantId }) => tenantId)),
        ])
        const erased = new Map(
          await Promise.all(
            erasing.map(async (id) => [id, await findErasures(database.tenant(id))] as const),
          ),
        )
        return found
          .filter(({ tenantId, record }) => !erased.get(tenantId)?.has(record.customerId ?? ''))
          .map(({ tenantId, record }) => ({ tenantId, conversation: record }))
      }),
    nextSnoozeAt: () =>
      gate.pass(async () => {
        const [first] = await across.find('dueSnoozes', {}, { sort, limit: 1 })
        return (first?.keys?.['dueAt'] as string | undefined) ?? null
      }),
  }
  return dueWork
}

function createMailReads({
  database,
  gate,
}: SystemStoreParts): Pick<
  SystemStore,
  'findMailQueue' | 'listQueuedMail' | 'listDueMails' | 'listImapInboxes'
> {
  const { across, follow } = createFinders(database)
  const sort = { 'keys.dueAt': 1, _id: 1 } as const
  const byQueue = { 'keys.queuedInboxId': 1, 'keys.dueAt': 1, _id: 1 } as const
  return {
    findMailQueue: (after) =>
      gate.pass(async () => {
        const isBehind = { 'keys.queuedInboxId': trusted({ $gt: after }) }
        const [found] = await across.find('dueMailSends', isBehind, { sort: byQueue, limit: 1 })
        if (found === undefined) return undefined
        const { queuedInboxId, dueAt } = found.keys as { queuedInboxId: string; dueAt: string }
        return { tenantId: found.tenantId as TenantId, inboxId: queuedInboxId, nextAt: dueAt }
      }),
    listQueuedMail: ({ inboxId, limit }) =>
      gate.pass(async () => {
        const ofInbox = { 'keys.queuedInboxId': inboxId }
        const found = await follow(
          'mailSends',
          await across.find('dueMailSends', ofInbox, { sort: byQueue, limit }),
        )
        return found.map(({ tenantId, record }) => ({ tenantId, send: record }))
      }),
    listDueMails: (now, limit) =>
      gate.pass(async () => {
        const isDue = { 'keys.dueAt': trusted({ $lte: now }) }
        const found = await follow('inboundMails', await across.find('dueMails', isDue, { sort, limit }))
        return found.map(({ tenantId, record }) => ({ tenantId, mail: record }))
      }),
    listImapInboxes: ({ after, limit }) =>
      gate.pass(async () => {
        const isBehind = { 'keys.imapMailbox': trusted({ $gt: after }) }
        const order = { 'keys.imapMailbox': 1 } as const
        const pointers = await across.find('imapMailboxes', isBehind, { sort: order, limit })
        const found = await follow('inboxes', pointers)
        return found.map(({ tenantId, record }) => ({ tenantId, inbox: record }))
      }),
  }
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
    ...createInboxLookups(parts),
    ...createLookups(parts),
    ...createDueReads(parts),
    ...createMailReads(parts),
    listDeliveryQueues: (query) => gate.pass(() => claims.deliveryQueues(query)),
    claimDueAttempts: (claim) => gate.pass(() => claims.claim(claim)),
    replanAttempts: (bound) => gate.pass(() => replanAttempts(database, bound)),
    finishAttempts: (results) => gate.pass(() => claims.finish(results)),
    installationId: () =>
      gate.pass(async () => {
        const [found] = await database.across().find('serverState', { _id: installationRow })
        const id = found?.row?.['id']
        if (typeof id !== 'string') throw new Error('the database has not been migrated')
        return id
      }),
    readRows: (query) => gate.pass(() => readAllRows(database, query)),
    countRows: ({ kind, tenantId }) => gate.pass(() => database.tenant(tenantId).countAll(kind)),
    backlog: (limit) => gate.pass(() => measureBacklog(database, limit)),
    takeLease: (claim) => gate.pass(() => leases.take(claim)),
    releaseLease: (lease) => gate.pass(() => leases.release(lease)),
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

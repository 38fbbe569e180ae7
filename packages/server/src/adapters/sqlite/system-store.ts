import type { SystemStore } from '../../ports/system-store.ts'
import { identitiesPerEmail } from '../../storage/kinds/identities.ts'
import type { Kind, Records } from '../../storage/kinds/registry.ts'
import { upgradeTaskPrefix } from '../../storage/kinds/tasks.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import { emailForms } from '../../storage/rules/email-forms.ts'
import { ifReadable } from '../../storage/rules/readable-rows.ts'
import type { SqlValue } from './connection/sql.ts'
import { createDeliveries, type DeliveriesParts } from './deliveries/deliveries.ts'
import { createAcrossReads, oneOf, type TenantRow } from './lists/across-reads.ts'
import { toRecord } from './rows/records.ts'
import { countAllRows, readAllRows } from './upkeep/all-rows.ts'
import { measureBacklog } from './upkeep/backlog.ts'

export interface SystemStoreParts extends DeliveriesParts {
  commit: SystemStore['commit']
}

function createBackground({
  sql,
  writer,
  owner,
  read,
}: Pick<SystemStoreParts, 'sql' | 'writer' | 'owner' | 'read'>): Pick<
  SystemStore,
  | 'takeLease'
  | 'releaseLease'
  | 'listEndedLeases'
  | 'sequenceEvents'
  | 'removeExpired'
  | 'countLabelDay'
  | 'touchApiKeys'
  | 'addUsage'
  | 'addRequestMetrics'
  | 'ping'
> {
  let areEarlierEnded = false
  return {
    takeLease: async (claim) => {
      // The process that owned the file before has ended, also by `kill -9`: its leases hold nobody up.
      if (!areEarlierEnded && owner.isOwner()) {
        areEarlierEnded = true
        await writer.call('endLeases', null)
      }
      return writer.call('takeLease', claim)
    },
    releaseLease: async (lease) => {
      await writer.call('releaseLease', lease)
    },
    listEndedLeases: ({ prefix, now, limit }) =>
      read(() =>
        sql.across
          .all<{ name: string }>(
            'SELECT name FROM leases WHERE name >= ? AND name < ? AND until <= ? LIMIT ?',
            prefix,
            `${prefix}\uffff`,
            now,
            limit,
          )
          .map(({ name }) => name.slice(prefix.length)),
      ),
    // Every commit gives its events their positions.
    sequenceEvents: async () => ({ count: 0, tenantIds: [] }),
    removeExpired: (keep) => writer.call('removeExpired', keep),
    countLabelDay: (of) => writer.call('countLabelDay', of),
    touchApiKeys: async (uses) => {
      if (uses.length > 0) await writer.call('touchApiKeys', uses)
    },
    // As for usage, one transaction adds all increments or none.
    addRequestMetrics: (increments) =>
      increments.length === 0
        ? Promise.resolve([])
        : writer.call('addRequestMetrics', increments).then(
            () => [],
            () => increments,
          ),
    // One transaction adds all increments or none.
    addUsage: (increments) =>
      increments.length === 0
        ? Promise.resolve([])
        : writer.call('addUsage', increments).then(
            () => [],
            () => increments,
          ),
    ping: async () => {
      await read(() => sql.across.get('SELECT 1 FROM heartbeat'))
      await writer.call('ping', { at: new Date().toISOString() })
    },
  }
}

function createTenantReads({ sql, read }: Pick<SystemStoreParts, 'sql' | 'read'>) {
  const list = (text: string, ...params: SqlValue[]) =>
    read(() =>
      sql.across
        .all<TenantRow>(`SELECT tenant_id, version, doc FROM tenants WHERE ${text}`, ...params)
        .flatMap((row) => ifReadable(() => ({ ...toRecord('tenants', row), tenantId: row.tenant_id }))),
    )
  return {
    findTenants: async (ids: readonly string[]) => (ids.length === 0 ? [] : list(`id ${oneOf(ids)}`, ...ids)),
    listTenants: ({ after, limit }: { after: string; limit: number }) =>
      list('id > ? ORDER BY id LIMIT ?', after, limit),
  }
}

export function createSystemStore(parts: SystemStoreParts): SystemStore {
  const { sql, writer, commit, read } = parts
  function findOne<K extends Kind>(kind: K, text: string, ...params: SqlValue[]) {
    return read((): { tenantId: TenantId; record: Stored<Records[K]> } | undefined => {
      const row = sql.across.get<TenantRow>(text, ...params)
      return row && { tenantId: row.tenant_id, record: toRecord(kind, row) }
    })
  }

  return {
    ...createBackground({ sql, writer, owner: parts.owner, read }),
    ...createDeliveries(parts),
    across: createAcrossReads(sql, read),
    commit,
    installationId: () => read(() => (sql.across.get('SELECT id FROM installation') as { id: string }).id),
    findSetting: async (name) =>
      (await findOne('settings', 'SELECT tenant_id, version, doc FROM settings WHERE id = ?', name))?.record,
    hasTenants: () => read(() => sql.across.get('SELECT 1 FROM tenants LIMIT 1') !== undefined),
    findTenant: async (id) => {
      const found = await findOne('tenants', 'SELECT tenant_id, version, doc FROM tenants WHERE id = ?', id)
      return found && { ...found.record, tenantId: found.tenantId }
    },
    ...createTenantReads(parts),
    findSession: async (id) => {
      const found = await findOne('sessions', 'SELECT tenant_id, version, doc FROM sessions WHERE id = ?', id)
      return found && { tenantId: found.tenantId, session: found.record }
    },
    findIdentity: async (id) =>
      (await findOne('identities', 'SELECT tenant_id, version, doc FROM identities WHERE id = ?', id))
        ?.record,
    listIdentitiesByEmail: (email) =>
      read(() =>
        sql.across
          .all<TenantRow>(
            `SELECT tenant_id, version, doc FROM identities WHERE tenant_id = '' AND email ${oneOf(emailForms(email))}
             ORDER BY created_at, id LIMIT ${identitiesPerEmail}`,
            ...emailForms(email),
          )
          .flatMap((row) => ifReadable(() => toRecord('identities', row))),
      ),
    listMembers: ({ tenantId, email }) =>
      read(() =>
        sql.across
          .all<TenantRow>(
            `SELECT tenant_id, version, doc FROM users
             WHERE tenant_id = ? AND email_normalized ${oneOf(emailForms(email))}`,
            tenantId,
            ...emailForms(email),
          )
          .flatMap((row) => ifReadable(() => ({ tenantId: row.tenant_id, user: toRecord('users', row) }))),
      ),
    listTasks: (limit, from = '') =>
      read(() =>
        sql.across
          .all<TenantRow>(
            'SELECT tenant_id, version, doc FROM tasks WHERE id >= ? ORDER BY id, tenant_id LIMIT ?',
            from,
            limit,
          )
          .flatMap((row) => ifReadable(() => ({ tenantId: row.tenant_id, task: toRecord('tasks', row) }))),
      ),
    findTenantWithTask: (behind) =>
      read(
        () =>
          sql.across.get<{ tenant_id: TenantId }>(
            'SELECT tenant_id FROM tasks WHERE tenant_id > ? AND id < ? ORDER BY tenant_id LIMIT 1',
            behind,
            upgradeTaskPrefix,
          )?.tenant_id,
      ),
    readRows: (query) => read(() => readAllRows(sql, query)),
    countRows: ({ kind, tenantId }) => read(() => countAllRows(sql, kind, tenantId)),
    removeTenantRows: (of) => writer.call('removeTenantRows', of),
    backlog: (limit) => read(() => measureBacklog(sql, limit)),
  }
}

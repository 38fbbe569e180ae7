import type { SystemStore } from '../../ports/system-store.ts'
import type { ApiKeyRecord } from '../../storage/kinds/api-keys.ts'
import { identitiesPerEmail } from '../../storage/kinds/identities.ts'
import type { Kind, Records } from '../../storage/kinds/registry.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import { emailForms } from '../../storage/rules/email-forms.ts'
import { ifReadable } from '../../storage/rules/readable-rows.ts'
import type { Sql, SqlValue } from './connection/sql.ts'
import { createDeliveries, type DeliveriesParts } from './deliveries/deliveries.ts'
import { type RecordRow, toRecord } from './rows/records.ts'
import { countAllRows, readAllRows } from './upkeep/all-rows.ts'
import { measureBacklog } from './upkeep/backlog.ts'

export interface SystemStoreParts extends DeliveriesParts {
  commit: SystemStore['commit']
}

const inboxOfToken =
  'SELECT tenant_id, version, doc FROM inboxes WHERE inbound_token = ? OR previous_inbound_token = ?'

type TenantRow = RecordRow & { tenant_id: TenantId }

function createDueReads(
  sql: Sql,
  read: SystemStoreParts['read'],
): Pick<
  SystemStore,
  | 'listDueSnoozes'
  | 'listDueAttachments'
  | 'listDueDrafts'
  | 'listDueImports'
  | 'listDueSyncs'
  | 'nextSnoozeAt'
  | 'listTasks'
  | 'readRows'
  | 'countRows'
  | 'backlog'
> {
  return {
    listTasks: (limit) =>
      read(() =>
        sql.across
          .all<TenantRow>('SELECT tenant_id, version, doc FROM tasks ORDER BY id, tenant_id LIMIT ?', limit)
          .flatMap((row) => ifReadable(() => ({ tenantId: row.tenant_id, task: toRecord('tasks', row) }))),
      ),
    listDueAttachments: (now, limit) =>
      read(() =>
        sql.across
          .all<TenantRow>(
            'SELECT tenant_id, version, doc FROM attachments WHERE due_at <= ? ORDER BY due_at, n LIMIT ?',
            now,
            limit,
          )
          .flatMap((row) =>
            ifReadable(() => ({ tenantId: row.tenant_id, attachment: toRecord('attachments', row) })),
          ),
      ),
    listDueDrafts: (now, limit) =>
      read(() =>
        sql.across
          .all<TenantRow>(
            'SELECT tenant_id, version, doc FROM drafts WHERE due_at <= ? ORDER BY due_at, id LIMIT ?',
            now,
            limit,
          )
          .flatMap((row) => ifReadable(() => ({ tenantId: row.tenant_id, draft: toRecord('drafts', row) }))),
      ),
    listDueImports: (now, limit) =>
      read(() =>
        sql.across
          .all<TenantRow>(
            'SELECT tenant_id, version, doc FROM import_runs WHERE due_at <= ? ORDER BY due_at, id LIMIT ?',
            now,
            limit,
          )
          .flatMap((row) =>
            ifReadable(() => ({ tenantId: row.tenant_id, run: toRecord('importRuns', row) })),
          ),
      ),
    listDueSyncs: (now, limit) =>
      read(() =>
        sql.across
          .all<TenantRow>(
            `SELECT tenant_id, version, doc FROM integrations WHERE auto_sync_due_at <= ?
             ORDER BY auto_sync_due_at, id LIMIT ?`,
            now,
            limit,
          )
          .flatMap((row) =>
            ifReadable(() => ({ tenantId: row.tenant_id, integration: toRecord('integrations', row) })),
          ),
      ),
    listDueSnoozes: (now, limit) =>
      read(() =>
        sql.across
          .all<TenantRow>(
            `SELECT tenant_id, version, doc FROM conversations AS c WHERE due_at <= ? AND NOT EXISTS (
               SELECT 1 FROM tasks AS e WHERE e.tenant_id = c.tenant_id AND e.erases = c.customer_id)
             ORDER BY due_at, n LIMIT ?`,
            now,
            limit,
          )
          .flatMap((row) =>
            ifReadable(() => ({ tenantId: row.tenant_id, conversation: toRecord('conversations', row) })),
          ),
      ),
    readRows: (query) => read(() => readAllRows(sql, query)),
    countRows: ({ kind, tenantId }) => read(() => countAllRows(sql, kind, tenantId)),
    backlog: (limit) => read(() => measureBacklog(sql, limit)),
    nextSnoozeAt: () =>
      read(
        () =>
          sql.across.get<{ at: string | null }>(
            'SELECT min(due_at) AS at FROM conversations WHERE due_at IS NOT NULL',
          )?.at ?? null,
      ),
  }
}

function createMailReads(
  sql: Sql,
  read: SystemStoreParts['read'],
): Pick<SystemStore, 'findMailQueue' | 'listQueuedMail' | 'listDueMails' | 'listImapInboxes'> {
  return {
    findMailQueue: (after) =>
      read(() => {
        const found = sql.across.get<{ tenant_id: TenantId; queued_inbox_id: string; due_at: string }>(
          `SELECT tenant_id, queued_inbox_id, due_at FROM mail_sends
           WHERE queued_inbox_id > ? ORDER BY queued_inbox_id, due_at LIMIT 1`,
          after,
        )
        return found && { tenantId: found.tenant_id, inboxId: found.queued_inbox_id, nextAt: found.due_at }
      }),
    listQueuedMail: ({ inboxId, limit }) =>
      read(() =>
        sql.across
          .all<TenantRow>(
            `SELECT tenant_id, version, doc FROM mail_sends WHERE queued_inbox_id = ?
             ORDER BY due_at, id LIMIT ?`,
            inboxId,
            limit,
          )
          .flatMap((row) =>
            ifReadable(() => ({ tenantId: row.tenant_id, send: toRecord('mailSends', row) })),
          ),
      ),
    listDueMails: (now, limit) =>
      read(() =>
        sql.across
          .all<TenantRow>(
            'SELECT tenant_id, version, doc FROM inbound_mails WHERE due_at <= ? ORDER BY due_at, id LIMIT ?',
            now,
            limit,
          )
          .flatMap((row) =>
            ifReadable(() => ({ tenantId: row.tenant_id, mail: toRecord('inboundMails', row) })),
          ),
      ),
    listImapInboxes: ({ after, limit }) =>
      read(() =>
        sql.across
          .all<TenantRow>(
            `SELECT tenant_id, version, doc FROM inboxes WHERE imap_mailbox > ?
             ORDER BY imap_mailbox LIMIT ?`,
            after,
            limit,
          )
          .flatMap((row) => ifReadable(() => ({ tenantId: row.tenant_id, inbox: toRecord('inboxes', row) }))),
      ),
  }
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

function oneOf(values: readonly string[]): string {
  return `IN (${values.map(() => '?').join(', ')})`
}

function createInboxLookups(
  sql: Sql,
  read: SystemStoreParts['read'],
): Pick<SystemStore, 'findInboxByWidgetKey' | 'findInboxByInboundToken' | 'findInboxByEmailAddress'> {
  const findInbox = (text: string, ...params: SqlValue[]) =>
    read(() => {
      const row = sql.across.get<TenantRow>(text, ...params)
      return row && { tenantId: row.tenant_id, inbox: toRecord('inboxes', row) }
    })
  return {
    findInboxByWidgetKey: (key) =>
      findInbox('SELECT tenant_id, version, doc FROM inboxes WHERE widget_key = ?', key),
    findInboxByInboundToken: (tokenHash) => findInbox(inboxOfToken, tokenHash, tokenHash),
    findInboxByEmailAddress: (address) =>
      findInbox(
        `SELECT tenant_id, version, doc FROM inboxes WHERE email_address ${oneOf(emailForms(address))}`,
        ...emailForms(address),
      ),
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
    commit,
    findApiKeyByHash: async (keyHash) => {
      const found = await findOne(
        'apiKeys',
        'SELECT tenant_id, version, doc FROM api_keys WHERE key_hash = ?',
        keyHash,
      )
      return found && { tenantId: found.tenantId, apiKey: found.record satisfies ApiKeyRecord }
    },
    ...createInboxLookups(sql, read),
    findWidgetSession: async (tokenHash) => {
      const text = 'SELECT tenant_id, version, doc FROM widget_sessions WHERE token_hash = ?'
      const found = await findOne('widgetSessions', text, tokenHash)
      return found && { tenantId: found.tenantId, session: found.record }
    },
    findSourceSignIn: async (stateHash) => {
      const text = 'SELECT tenant_id, version, doc FROM source_sign_ins WHERE state_hash = ?'
      const found = await findOne('sourceSignIns', text, stateHash)
      return found && { tenantId: found.tenantId, signIn: found.record }
    },
    installationId: () => read(() => (sql.across.get('SELECT id FROM installation') as { id: string }).id),
    findSetting: async (name) =>
      (await findOne('settings', 'SELECT tenant_id, version, doc FROM settings WHERE id = ?', name))?.record,
    hasTenants: () => read(() => sql.across.get('SELECT 1 FROM tenants LIMIT 1') !== undefined),
    findTenant: async (id) => {
      const found = await findOne('tenants', 'SELECT tenant_id, version, doc FROM tenants WHERE id = ?', id)
      return found && { ...found.record, tenantId: found.tenantId }
    },
    listTenants: ({ after, limit }) =>
      read(() =>
        sql.across
          .all<TenantRow>(
            'SELECT tenant_id, version, doc FROM tenants WHERE id > ? ORDER BY id LIMIT ?',
            after,
            limit,
          )
          .flatMap((row) => ifReadable(() => ({ ...toRecord('tenants', row), tenantId: row.tenant_id }))),
      ),
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
    listMemberships: (identityId) =>
      read(() =>
        sql.across
          .all<TenantRow>(
            'SELECT tenant_id, version, doc FROM users WHERE identity_id = ? ORDER BY created_at, id',
            identityId,
          )
          .flatMap((row) => ifReadable(() => ({ tenantId: row.tenant_id, user: toRecord('users', row) }))),
      ),
    ...createDueReads(sql, read),
    ...createMailReads(sql, read),
  }
}

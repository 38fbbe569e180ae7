import type { AttemptRecord, Kind, Records, Stored, TenantId } from '../../ports/records.ts'
import type { Change, TenantStore } from '../../ports/storage.ts'
import { type AttemptRow, attemptColumns, toAttempt } from './attempt-rows.ts'
import { type EventRow, eventColumns, toEvent } from './event-rows.ts'
import { kindTables } from './kinds.ts'
import type { ListReader } from './list-reader.ts'
import type { ListName, ListOf } from './list-requests.ts'
import { type RecordRow, toRecord, toRecordPage } from './records.ts'
import type { Sql } from './sql.ts'

export interface TenantStoreParts {
  sql: Sql
  lists: ListReader
  commit(tenantId: TenantId, change: Change): Promise<void>
  record(tenantId: TenantId, attempt: AttemptRecord): Promise<void>
  /** Runs a read on the main thread's own connection and says `StorageUnavailable` in the port's words. */
  read<T>(query: () => T): Promise<T>
}

const webhookExists = 'EXISTS (SELECT 1 FROM webhooks AS w WHERE w.tenant_id = @tenant AND w.id = webhook_id)'

export function createTenantStore(
  tenantId: TenantId,
  { sql, lists, commit, record, read }: TenantStoreParts,
): TenantStore {
  const scoped = sql.tenant(tenantId)

  function finder<K extends Kind>(kind: K) {
    const text = `SELECT version, doc FROM ${kindTables[kind].table} WHERE tenant_id = @tenant AND id = ?`
    return (id: string): Promise<Stored<Records[K]> | undefined> =>
      read(() => {
        const row = scoped.get<RecordRow>(text, id)
        return row && toRecord<K>(row)
      })
  }

  function lister<K extends Kind & ListName>(list: K) {
    return async (filter: ListOf<K>['filter']) => {
      const page = await lists.read(tenantId, { list, filter } as Parameters<ListReader['read']>[1])
      return toRecordPage<K>(page)
    }
  }

  function repository<K extends Kind & ListName>(kind: K) {
    return { find: finder(kind), list: lister(kind) }
  }

  const findIdempotency = finder('idempotency')

  return {
    tenantId,
    customers: repository('customers'),
    conversations: repository('conversations'),
    messages: {
      ...repository('messages'),
      findByClientMessageId: (conversationId, clientMessageId) =>
        read(() => {
          const row = scoped.get<RecordRow>(
            'SELECT version, doc FROM messages WHERE tenant_id = @tenant AND conversation_id = ? AND client_message_id = ?',
            ...[conversationId, clientMessageId],
          )
          return row && toRecord<'messages'>(row)
        }),
    },
    users: {
      ...repository('users'),
      countActive: ({ role, except }) =>
        read(() => {
          const row = scoped.get<{ total: number }>(
            'SELECT count(*) AS total FROM users WHERE tenant_id = @tenant AND role = ? AND is_active = 1 AND id <> ?',
            ...[role, except],
          )
          return row?.total ?? 0
        }),
    },
    inboxes: repository('inboxes'),
    apiKeys: repository('apiKeys'),
    webhooks: {
      ...repository('webhooks'),
      count: () =>
        read(() => {
          const row = scoped.get<{ total: number }>(
            'SELECT count(*) AS total FROM webhooks WHERE tenant_id = @tenant',
          )
          return row?.total ?? 0
        }),
    },
    attempts: {
      find: (id) =>
        read(() => {
          const row = scoped.get<AttemptRow>(
            `SELECT ${attemptColumns} FROM attempts WHERE tenant_id = @tenant AND id = ? AND ${webhookExists}`,
            id,
          )
          return row && toAttempt(row)
        }),
      list: async (filter) => {
        const page = await lists.read(tenantId, { list: 'attempts', filter })
        return { ...page, rows: page.rows.map((row) => toAttempt(row as unknown as AttemptRow)) }
      },
      record: (attempt) => record(tenantId, attempt),
    },
    events: {
      find: (id) =>
        read(() => {
          const row = scoped.get<EventRow>(
            `SELECT ${eventColumns} FROM events WHERE tenant_id = @tenant AND id = ?`,
            id,
          )
          return row && toEvent(row)
        }),
    },
    auditLog: { list: lister('auditLog') },
    idempotency: { find: findIdempotency },
    sessions: { find: finder('sessions') },
    commit: (change) => commit(tenantId, change),
  }
}

import type { Change } from '../../ports/change.ts'
import type { ErasurePage, KindStores, MentionsPage, TenantStore } from '../../ports/storage.ts'
import { Pauses } from '../../shared/pauses.ts'
import type { AttemptRecord } from '../../storage/kinds/attempts.ts'
import { isListed, rulesOf, tenantKinds } from '../../storage/kinds/derive.ts'
import type { Kind, ListedKind, Records } from '../../storage/kinds/registry.ts'
import { mergeSpellings } from '../../storage/label-counts.ts'
import type { Matches, MatchQuery, SearchedKind } from '../../storage/match-query.ts'
import type { ListFilter, PageOf, RowsOf } from '../../storage/pages.ts'
import { type Stored, type TenantId, withoutVersion } from '../../storage/records.ts'
import { oldestFirst } from '../../storage/rules/contacts.ts'
import { emailForms } from '../../storage/rules/email-forms.ts'
import { erasedLinkId } from '../../storage/rules/erased-links.ts'
import { phonesOfTenant } from '../../storage/rules/phones-of-tenant.ts'
import { ifReadable } from '../../storage/rules/readable-rows.ts'
import type { Sql } from './connection/sql.ts'
import { type AttemptRow, attemptColumns, toAttempt } from './deliveries/attempt-rows.ts'
import { findCounts } from './deliveries/webhook-counts.ts'
import { andNotErased, isAnyErased } from './erasure/erasures.ts'
import { createEventLog } from './events/event-log.ts'
import { activeWebhooks } from './events/event-writer.ts'
import type { ListReader } from './lists/list-reader.ts'
import type { AnyList } from './lists/list-requests.ts'
import { tableOf } from './rows/kinds.ts'
import { type RecordRow, toRecord, toRecordPage, toRecordRows } from './rows/records.ts'

export interface TenantStoreParts {
  sql: Sql
  lists: ListReader
  commit(tenantId: TenantId, change: Change): Promise<void>
  record(tenantId: TenantId, attempt: AttemptRecord): Promise<void>
  eraseNext(tenantId: TenantId, page: ErasurePage | MentionsPage): Promise<number>
  /** Runs a read on the main thread's connection. Rejects with `StorageUnavailable` when the database is unavailable. */
  read<T>(query: () => T): Promise<T>
}

const webhookExists = 'EXISTS (SELECT 1 FROM webhooks AS w WHERE w.tenant_id = @tenant AND w.id = webhook_id)'

interface Scope {
  tenantId: TenantId
  scoped: ReturnType<Sql['tenant']>
  parts: TenantStoreParts
}

function createAttempts({ tenantId, scoped, parts }: Scope): TenantStore['attempts'] {
  const findText = `SELECT ${attemptColumns} FROM attempts WHERE tenant_id = @tenant AND id = ? AND ${webhookExists}`
  const latestText = `SELECT ${attemptColumns} FROM attempts INDEXED BY attempts_by_event
    WHERE tenant_id = @tenant AND event_id = ? AND webhook_id = ? AND ${webhookExists}
    ORDER BY attempt DESC LIMIT 1`
  return {
    find: (id) =>
      parts.read(() => {
        const row = scoped.get<AttemptRow>(findText, id)
        return row && toAttempt(row)
      }),
    listLatest: ({ webhookId, eventIds }) =>
      parts.read(() =>
        eventIds.flatMap((eventId) => {
          const row = scoped.get<AttemptRow>(latestText, eventId, webhookId)
          return row === undefined ? [] : [toAttempt(row)]
        }),
      ),
    list: async (filter) => {
      const page = await parts.lists.read(tenantId, { list: 'attempts', filter })
      return { ...page, rows: page.rows.map((row) => toAttempt(row as unknown as AttemptRow)) }
    },
    record: (attempt) => parts.record(tenantId, attempt),
  }
}

function createUsage({ scoped, parts }: Scope): TenantStore['usage'] {
  const text = 'SELECT version, doc FROM usage WHERE tenant_id = @tenant AND month = ? AND api_key_id = ?'
  const metricsText = 'SELECT version, doc FROM request_metrics WHERE tenant_id = @tenant AND id = ?'
  return {
    list: ({ month, apiKeyId }) =>
      parts.read(() =>
        scoped
          .all<RecordRow>(text, month, apiKeyId ?? '')
          .flatMap((row) => ifReadable(() => withoutVersion(toRecord('usage', row)))),
      ),
    findMetrics: (month) =>
      parts.read(() => {
        const row = scoped.get<RecordRow>(metricsText, month)
        return row && withoutVersion(toRecord('requestMetrics', row))
      }),
  }
}

/** Finds an idempotency reply; undefined also for a reply about an erased subject. */
function createReplies({ scoped, parts }: Scope): KindStores['idempotency']['find'] {
  const text = 'SELECT version, doc FROM idempotency WHERE tenant_id = @tenant AND id = ?'
  return (id) =>
    parts.read(() => {
      const row = scoped.get<RecordRow>(text, id)
      const reply = row && toRecord('idempotency', row)
      return reply && !isAnyErased(scoped, reply.subjects) ? reply : undefined
    })
}

function createErasedLinks({ tenantId, scoped, parts }: Scope): TenantStore['erasedLinks'] {
  const text = 'SELECT 1 FROM erased_links WHERE tenant_id = @tenant AND id = ?'
  return {
    listAmong: ({ kind, externalIds }) =>
      parts.read(() =>
        externalIds.filter(
          (externalId) => scoped.get(text, erasedLinkId({ tenantId, kind, externalId })) !== undefined,
        ),
      ),
  }
}

/**
 * Returns the query for customers with one value. The index is named: the planner may prefer to read the customers in
 * the order of a list, until it has found enough with the value.
 */
export function byContactText(column: 'email_normalized' | 'phone_tail'): string {
  const index = column === 'phone_tail' ? 'customers_by_phone' : 'customers_by_email'
  return `SELECT version, doc FROM customers INDEXED BY ${index}
     WHERE tenant_id = @tenant AND ${column} = ?${andNotErased('customers')} LIMIT ?`
}

/** The time after which a look-up of many contacts lets other requests go first. */
const listWorkMs = 2

function listByContact({ scoped, parts }: Scope): TenantStore['customers']['listByContact'] {
  const [byEmail, byPhone] = [byContactText('email_normalized'), byContactText('phone_tail')]
  return async ({ emails, phoneTails, limit }) => {
    const asked = [
      ...emails.flatMap(emailForms).map((email) => [byEmail, email] as const),
      ...phoneTails.map((tail) => [byPhone, tail] as const),
    ]
    const rows: Stored<Records['customers']>[] = []
    // An import asks for hundreds at once.
    const pauses = new Pauses(listWorkMs)
    for (const [text, value] of asked) {
      const found = await parts.read(() => scoped.all<RecordRow>(text, value, limit))
      rows.push(...found.flatMap((row) => ifReadable(() => toRecord('customers', row))))
      if (pauses.isDue()) await pauses.take()
    }
    return oldestFirst(rows)
  }
}

function listByAddress({ scoped, parts }: Scope): TenantStore['customerAddresses']['listByAddress'] {
  const text = `SELECT version, doc FROM customer_addresses INDEXED BY customer_addresses_by_address
     WHERE tenant_id = @tenant AND address = ?${andNotErased('customerAddresses')} LIMIT ?`
  return async ({ addresses, limit }) => {
    const rows: Stored<Records['customerAddresses']>[] = []
    const pauses = new Pauses(listWorkMs)
    for (const address of addresses) {
      const found = await parts.read(() => scoped.all<RecordRow>(text, address, limit))
      rows.push(...found.flatMap((row) => ifReadable(() => toRecord('customerAddresses', row))))
      if (pauses.isDue()) await pauses.take()
    }
    return rows
  }
}

/** Finds rows one after the other; other requests go first meanwhile. */
function findEach<T>(find: (id: string) => Promise<T | undefined>): (ids: readonly string[]) => Promise<T[]> {
  return async (ids) => {
    const rows: T[] = []
    const pauses = new Pauses(listWorkMs)
    for (const id of new Set(ids)) {
      const row = await find(id)
      if (row !== undefined) rows.push(row)
      if (pauses.isDue()) await pauses.take()
    }
    return rows
  }
}

function createNumbers({ tenantId, scoped, parts }: Scope) {
  const number = (text: string, ...params: string[]): Promise<number> =>
    parts.read(() => scoped.get<{ value: number }>(text, ...params)?.value ?? 0)
  return {
    webhooks: () => number('SELECT count(*) AS value FROM webhooks WHERE tenant_id = @tenant'),
    version: () =>
      number('SELECT version AS value FROM tenants WHERE tenant_id = @tenant AND id = ?', tenantId),
  }
}

export function createTenantStore(tenantId: TenantId, parts: TenantStoreParts): TenantStore {
  const { sql, lists, read } = parts
  const scoped = sql.tenant(tenantId)
  const scope: Scope = { tenantId, scoped, parts }
  const numbers = createNumbers(scope)

  function findOne<K extends Kind>(
    kind: K,
    text: string,
    ...params: string[]
  ): Promise<Stored<Records[K]> | undefined> {
    return read(() => {
      const row = scoped.get<RecordRow>(text, ...params)
      return row && toRecord(kind, row)
    })
  }

  function finder<K extends Kind>(kind: K) {
    const text = `SELECT version, doc FROM ${tableOf(kind).table} WHERE tenant_id = @tenant AND id = ?${andNotErased(kind)}`
    return (id: string) => findOne(kind, text, id)
  }

  function lister<K extends ListedKind>(list: K) {
    return async (filter: ListFilter<K>): Promise<PageOf<Records[K]>> => {
      const page = await lists.read(tenantId, { list, filter } as AnyList)
      return toRecordPage(list, page)
    }
  }

  function rowLister<K extends ListedKind>(list: K) {
    return async (filter: ListFilter<K>): Promise<RowsOf<Records[K]>> =>
      toRecordRows(list, await lists.readRows(tenantId, { list, filter } as AnyList))
  }

  async function findMatches<K extends SearchedKind>(kind: K, query: MatchQuery): Promise<Matches<K>> {
    const { rows, isPartial } = await lists.findMatches({ tenantId, kind, query })
    return { rows: rows.flatMap((row) => ifReadable(() => toRecord(kind, row))), isPartial }
  }

  /** Returns the reads of every kind, by its declaration. */
  function kindStores(): KindStores {
    const stores = tenantKinds.map((kind) => {
      const find = rulesOf(kind).subjects ? createReplies(scope) : finder(kind)
      const reads = { find, findAll: findEach(find) }
      return [kind, isListed(kind) ? { ...reads, list: lister(kind), listRows: rowLister(kind) } : reads]
    })
    return Object.fromEntries(stores) as KindStores
  }
  const stores = kindStores()
  const findTenant = finder('tenants')

  return {
    ...stores,
    tenantId,
    customers: { ...stores.customers, listByContact: listByContact(scope) },
    customerAddresses: { ...stores.customerAddresses, listByAddress: listByAddress(scope) },
    conversations: {
      ...stores.conversations,
      countLabels: async (range) => mergeSpellings(await lists.countLabels({ tenantId, range })),
    },
    messages: {
      ...stores.messages,
      findByClientMessageId: (conversationId, clientMessageId) =>
        findOne(
          'messages',
          `SELECT version, doc FROM messages WHERE tenant_id = @tenant AND conversation_id = ? AND client_message_id = ?${andNotErased('messages')}`,
          conversationId,
          clientMessageId,
        ),
    },
    users: {
      ...stores.users,
      findOther: ({ role, except }) =>
        findOne(
          'users',
          'SELECT version, doc FROM users WHERE tenant_id = @tenant AND role = ? AND is_active = 1 AND id <> ? LIMIT 1',
          role,
          except,
        ),
    },
    webhooks: {
      ...stores.webhooks,
      count: numbers.webhooks,
      hears: (type) => read(() => activeWebhooks(scoped).some(({ events }) => events.includes(type))),
      counts: (ids) => read(() => ids.flatMap((id) => findCounts(scoped, id) ?? [])),
    },
    findMatches,
    attempts: createAttempts(scope),
    events: createEventLog({ sql, tenantId, read }),
    erasedLinks: createErasedLinks(scope),
    usage: createUsage(scope),
    usedOf: (quota, of) => lists.countQuotaUse({ tenantId, quota, ...of }),
    version: numbers.version,
    phones: async () => phonesOfTenant(await findTenant(tenantId)),
    commit: (change) => parts.commit(tenantId, change),
    eraseNext: (page) => parts.eraseNext(tenantId, page),
  }
}

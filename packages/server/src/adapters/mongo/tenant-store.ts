import type { Change } from '../../ports/change.ts'
import type { MessageFilter, PageOf } from '../../ports/pages.ts'
import type { TenantStore } from '../../ports/storage.ts'
import type { AttemptRecord, Kind, Records, Stored, TenantId } from '../../storage/records.ts'
import { isOwned } from '../../storage/rules/erased.ts'
import { erasedLinkId } from '../../storage/rules/erased-links.ts'
import { type Filter, isNoneOf, isOneOf, trusted } from './connection/filters.ts'
import type { Gate } from './connection/gate.ts'
import type { Database, Reach, StoredRow } from './connection/scope.ts'
import { readCounts } from './deliveries/webhook-counts.ts'
import { findErasures, isAnyErased, noErasures, rowsInSight } from './erasure/erasures.ts'
import { createEventLog } from './events/event-log.ts'
import { type CountedPage, createListReader, type ListQuery, type ListReader } from './lists/list-query.ts'
import * as lists from './lists/lists.ts'
import { decodeRow } from './rows/encode-row.ts'
import { readConversations } from './search/conversation-search.ts'
import { listUsage } from './upkeep/usage.ts'

export interface TenantStoreParts {
  database: Database
  gate: Gate
  commit(tenantId: TenantId, change: Change): Promise<void>
  record(tenantId: TenantId, attempt: AttemptRecord): Promise<void>
  eraseNext(tenantId: TenantId, of: Parameters<TenantStore['eraseNext']>[0]): Promise<number>
}

interface Scope {
  tenantId: TenantId
  reach: Reach
  readList: ListReader
  parts: TenantStoreParts
}

export function toRecord<K extends Kind>({ row, version }: StoredRow): Stored<Records[K]> {
  return { ...decodeRow<Records[K]>(row), version }
}

function toRecordPage<K extends Kind>(page: CountedPage): PageOf<Records[K]> {
  return { ...page, rows: page.rows.map((row) => toRecord<K>(row)) }
}

const noRows: CountedPage = { rows: [], total: 0, totalIsEstimate: false, nextCursor: null }

/** A removed webhook's attempts are out of sight at once, though they go bit by bit. */
function createAttempts({ tenantId, reach, readList, parts }: Scope): TenantStore['attempts'] {
  const hasWebhook = async (id: string) => (await reach.count('webhooks', reach.one(id), 1)) === 1
  return {
    find: (id) =>
      parts.gate.pass(async () => {
        const [found] = await reach.find('attempts', reach.one(id))
        const attempt = found && decodeRow<AttemptRecord>(found.row)
        return attempt && (await hasWebhook(attempt.webhookId)) ? attempt : undefined
      }),
    list: (filter) =>
      parts.gate.pass(async () => {
        const found = await readList(lists.attemptQuery(filter))
        const page = (await hasWebhook(filter.webhookId)) ? found : noRows
        return { ...page, rows: page.rows.map(({ row }) => decodeRow<AttemptRecord>(row)) }
      }),
    listLatest: ({ webhookId, eventIds }) =>
      parts.gate.pass(async () => {
        if (!(await hasWebhook(webhookId))) return []
        const filter = { ...isOneOf('row.eventId', eventIds), 'row.webhookId': webhookId }
        const rows = await reach.find('attempts', filter, { sort: { 'row.attempt': 1 } })
        const attempts = rows.map(({ row }) => decodeRow<AttemptRecord>(row))
        return [...new Map(attempts.map((attempt) => [attempt.eventId, attempt])).values()]
      }),
    record: (attempt) => parts.record(tenantId, attempt),
  }
}

function createReaders({ reach, readList, parts: { gate } }: Scope) {
  const findOne = <K extends Kind>(kind: K, filter: Filter) =>
    gate.pass(async () => {
      // At once: a task stays long enough after the last row that it hides has gone.
      const [rows, erased] = await Promise.all([
        reach.find(kind, filter, { limit: 1 }),
        isOwned(kind) ? findErasures(reach) : noErasures,
      ])
      const [found] = await rowsInSight(reach, kind, { rows, erased })
      return found && toRecord<K>(found)
    })
  return {
    findOne,
    finder:
      <K extends Kind>(kind: K) =>
      (id: string) =>
        findOne(kind, reach.one(id)),
    lister:
      <K extends Kind, F>(_kind: K, queryOf: (filter: F) => ListQuery) =>
      (filter: F) =>
        gate.pass(async () => toRecordPage<K>(await readList(queryOf(filter)))),
  }
}

async function listMessages(
  { reach, readList }: Scope,
  filter: MessageFilter,
): Promise<PageOf<Records['messages']>> {
  const erased = await findErasures(reach)
  const isGone = await isAnyErased(
    reach,
    ['authorId' in filter ? filter.authorId : filter.conversationId],
    erased,
  )
  const query = lists.messageQuery(filter)
  const where = [...query.where, ...isNoneOf('keys.customerId', erased)]
  const page = await readList({ ...query, where })
  return toRecordPage<'messages'>(isGone ? noRows : page)
}

async function listErasedLinks(
  { tenantId, reach }: Scope,
  { kind, externalIds }: Parameters<TenantStore['erasedLinks']['listAmong']>[0],
): Promise<string[]> {
  const idOf = (externalId: string) => erasedLinkId({ tenantId, kind, externalId })
  const rows = await reach.find('erasedLinks', reach.among(externalIds.map(idOf)), { fields: ['id'] })
  const found = new Set(rows.map(({ id }) => id))
  return externalIds.filter((externalId) => found.has(idOf(externalId)))
}

/** A reply that tells of what was erased is as good as gone. */
async function findReply(reach: Reach, id: string): Promise<Stored<Records['idempotency']> | undefined> {
  const [[found], erased] = await Promise.all([reach.find('idempotency', reach.one(id)), findErasures(reach)])
  const reply = found && toRecord<'idempotency'>(found)
  return reply && !(await isAnyErased(reach, reply.subjects, erased)) ? reply : undefined
}

export function createTenantStore(tenantId: TenantId, parts: TenantStoreParts): TenantStore {
  const { gate } = parts
  const reach = parts.database.tenant(tenantId)
  const scope: Scope = { tenantId, reach, readList: createListReader(reach), parts }
  const { findOne, finder, lister } = createReaders(scope)
  return {
    tenantId,
    customers: { find: finder('customers'), list: lister('customers', lists.customerQuery) },
    conversations: {
      find: finder('conversations'),
      list: (filter) =>
        gate.pass(async () => toRecordPage<'conversations'>(await readConversations(scope, filter))),
    },
    messages: {
      find: finder('messages'),
      list: (filter) => gate.pass(() => listMessages(scope, filter)),
      findByClientMessageId: (conversationId, clientMessageId) =>
        findOne('messages', {
          'row.conversationId': conversationId,
          'row.clientMessageId': clientMessageId,
        }),
    },
    attachments: { find: finder('attachments') },
    users: {
      find: finder('users'),
      list: lister('users', lists.userQuery),
      findOther: ({ role, except }) =>
        findOne('users', { 'row.role': role, 'row.isActive': true, id: trusted({ $ne: except }) }),
    },
    inboxes: { find: finder('inboxes'), list: lister('inboxes', lists.inboxQuery) },
    apiKeys: { find: finder('apiKeys'), list: lister('apiKeys', lists.apiKeyQuery) },
    webhooks: {
      find: finder('webhooks'),
      list: lister('webhooks', lists.webhookQuery),
      count: () => gate.pass(() => reach.count('webhooks', {}, Number.MAX_SAFE_INTEGER)),
      counts: (ids) => gate.pass(() => readCounts(reach, ids)),
    },
    attempts: createAttempts(scope),
    events: createEventLog({ database: parts.database, reach, gate }),
    auditLog: { list: lister('auditLog', lists.auditQuery) },
    idempotency: { find: (id) => gate.pass(() => findReply(reach, id)) },
    sessions: { find: finder('sessions') },
    erasedLinks: { listAmong: (of) => gate.pass(() => listErasedLinks(scope, of)) },
    usage: { list: (filter) => gate.pass(() => listUsage(reach, filter)) },
    version: async () => (await findOne('tenants', reach.one(tenantId)))?.version ?? 0,
    commit: (change) => parts.commit(tenantId, change),
    eraseNext: (of) => parts.eraseNext(tenantId, of),
  }
}

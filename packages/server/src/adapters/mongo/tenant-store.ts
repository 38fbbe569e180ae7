import type { Change } from '../../ports/change.ts'
import type { ContactQuery, ErasurePage, KindStores, MentionsPage, TenantStore } from '../../ports/storage.ts'
import type { AttemptRecord } from '../../storage/kinds/attempts.ts'
import { isListed, isOwned, rulesOf, tenantKinds } from '../../storage/kinds/derive.ts'
import type { Kind, ListedKind, Records } from '../../storage/kinds/registry.ts'
import { mergeSpellings } from '../../storage/label-counts.ts'
import type { Matches, MatchQuery, SearchedKind } from '../../storage/match-query.ts'
import type { ListFilter, PageOf, RowsOf } from '../../storage/pages.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import { oldestFirst } from '../../storage/rules/contacts.ts'
import { emailForms } from '../../storage/rules/email-forms.ts'
import { erasedLinkId } from '../../storage/rules/erased-links.ts'
import { phonesOfTenant } from '../../storage/rules/phones-of-tenant.ts'
import { ifReadable, readable } from '../../storage/rules/readable-rows.ts'
import type { CollectionAccess, Database, StoredRow } from './connection/access.ts'
import { type Filter, isNoneOf, isOneOf, trusted } from './connection/filters.ts'
import type { Gate } from './connection/gate.ts'
import { readCounts } from './deliveries/webhook-counts.ts'
import { findErasures, findErasuresShared, isAnyErased, noErasures, visibleRows } from './erasure/erasures.ts'
import { createEventLog } from './events/event-log.ts'
import { isHeard, type KnownSubscriptions } from './events/subscriptions.ts'
import { attemptQuery } from './lists/attempt-list.ts'
import { countLabels } from './lists/count-labels.ts'
import { kindQuery } from './lists/kind-list.ts'
import { type CountedPage, createListReader, type ListReader } from './lists/list-query.ts'
import { decodeRow } from './rows/encode-row.ts'
import { ruleOf } from './rows/kinds.ts'
import { readConversations } from './search/conversation-search.ts'
import { matchRows } from './search/match-rows.ts'
import { countQuotaUse } from './upkeep/quota-use.ts'
import { findMetrics, listUsage } from './upkeep/usage.ts'

export interface TenantStoreParts {
  database: Database
  gate: Gate
  commit(tenantId: TenantId, change: Change): Promise<void>
  readSubscriptions: KnownSubscriptions['read']
  record(tenantId: TenantId, attempt: AttemptRecord): Promise<void>
  eraseNext(tenantId: TenantId, page: ErasurePage | MentionsPage): Promise<number>
}

interface Scope {
  tenantId: TenantId
  access: CollectionAccess
  readList: ListReader
  parts: TenantStoreParts
}

/** Throws `DamagedRow` for a row that no version of the service can have written. */
export function toRecord<K extends Kind>(kind: K, { row, version }: StoredRow): Stored<Records[K]> {
  return { ...readable(kind, decodeRow<Records[K]>(row)), version }
}

function toRecordPage<K extends Kind>(kind: K, page: CountedPage): PageOf<Records[K]> {
  return { ...page, rows: page.rows.flatMap((row) => ifReadable(() => toRecord(kind, row))) }
}

const withoutTotal = <T>({ rows, nextCursor }: PageOf<T>): RowsOf<T> => ({ rows, nextCursor })

const noRows: CountedPage = { rows: [], total: 0, totalIsEstimate: false, nextCursor: null }

/** Reads attempts. A deleted webhook's attempts are hidden immediately, although they are deleted in batches. */
function createAttempts({ tenantId, access, readList, parts }: Scope): TenantStore['attempts'] {
  const hasWebhook = async (id: string) => (await access.count('webhooks', access.one(id), 1)) === 1
  return {
    find: (id) =>
      parts.gate.pass(async () => {
        const found = await access.findOne('attempts', id)
        const attempt = found && decodeRow<AttemptRecord>(found.row)
        return attempt && (await hasWebhook(attempt.webhookId)) ? attempt : undefined
      }),
    list: (filter) =>
      parts.gate.pass(async () => {
        const found = await readList(attemptQuery(filter))
        const page = (await hasWebhook(filter.webhookId)) ? found : noRows
        return { ...page, rows: page.rows.map(({ row }) => decodeRow<AttemptRecord>(row)) }
      }),
    listLatest: ({ webhookId, eventIds }) =>
      parts.gate.pass(async () => {
        if (!(await hasWebhook(webhookId))) return []
        const filter = { ...isOneOf('row.eventId', eventIds), 'row.webhookId': webhookId }
        const rows = await access.find('attempts', filter, { sort: { 'row.attempt': 1 } })
        const attempts = rows.map(({ row }) => decodeRow<AttemptRecord>(row))
        return [...new Map(attempts.map((attempt) => [attempt.eventId, attempt])).values()]
      }),
    record: (attempt) => parts.record(tenantId, attempt),
  }
}

function createReaders({ access, parts: { gate } }: Scope) {
  const visible = <K extends Kind>(kind: K, find: () => Promise<StoredRow[]>) =>
    gate.pass(async () => {
      // In parallel: an erasure task stays long enough after its last hidden row was deleted.
      const [rows, erased] = await Promise.all([
        find(),
        isOwned(kind) ? findErasuresShared(access) : noErasures,
      ])
      const found = await visibleRows(access, kind, { rows, erased })
      return found.map((row) => toRecord(kind, row))
    })
  return {
    findOne: async <K extends Kind>(kind: K, filter: Filter) => {
      const [found] = await visible(kind, () => access.find(kind, filter, { limit: 1 }))
      return found
    },
    finder:
      <K extends Kind>(kind: K) =>
      async (id: string) => {
        const [row] = await visible(kind, async () => {
          const found = await access.findOne(kind, id)
          return found ? [found] : []
        })
        return row
      },
    allFinder:
      <K extends Kind>(kind: K) =>
      async (ids: readonly string[]) =>
        ids.length === 0 ? [] : visible(kind, () => access.find(kind, access.among([...new Set(ids)]))),
  }
}

/** Reads a list of a kind, without the rows of owners that are being erased. */
async function listKind<K extends ListedKind>(
  { access, readList }: Scope,
  kind: K,
  filter: ListFilter<K>,
  isUncounted = false,
): Promise<PageOf<Records[K]>> {
  const query = { ...kindQuery(kind, filter), isUncounted }
  if (!isOwned(kind)) return toRecordPage(kind, await readList(query))
  const erased = await findErasures(access)
  if (erased.size === 0) return toRecordPage(kind, await readList(query))
  const owners = Object.values(ruleOf(kind).owners)
  const filtered = owners.flatMap((field) => query.where.map((filter) => filter[field]))
  const ids = filtered.filter((id) => typeof id === 'string')
  // An owner whose own owner is being erased hides its rows too.
  if (await isAnyErased(access, ids, erased)) return toRecordPage(kind, noRows)
  const isShown = owners.flatMap((field) => isNoneOf(field, erased))
  return toRecordPage(kind, await readList({ ...query, where: [...query.where, ...isShown] }))
}

async function findMatches<K extends SearchedKind>(
  access: CollectionAccess,
  kind: K,
  query: MatchQuery,
): Promise<Matches<K>> {
  const { rows, isPartial } = await matchRows(access, kind, query)
  return { rows: rows.flatMap((row) => ifReadable(() => toRecord(kind, row))), isPartial }
}

async function listErasedLinks(
  { tenantId, access }: Scope,
  { kind, externalIds }: Parameters<TenantStore['erasedLinks']['listAmong']>[0],
): Promise<string[]> {
  const idOf = (externalId: string) => erasedLinkId({ tenantId, kind, externalId })
  const rows = await access.find('erasedLinks', access.among(externalIds.map(idOf)), { fields: ['id'] })
  const found = new Set(rows.map(({ id }) => id))
  return externalIds.filter((externalId) => found.has(idOf(externalId)))
}

async function listByContact(
  access: CollectionAccess,
  { emails, phoneTails, limit }: ContactQuery,
): Promise<Stored<Records['customers']>[]> {
  const asked = [
    ...emails.flatMap(emailForms).map((email) => ({ 'keys.emailNormalized': email })),
    ...phoneTails.map((tail) => ({ 'keys.phoneTail': tail })),
  ]
  // One query for each value: a number that thousands share must not take the slots of the others.
  const found = await Promise.all(asked.map((filter) => access.find('customers', filter, { limit })))
  return oldestFirst(found.flat().flatMap((row) => ifReadable(() => toRecord('customers', row))))
}

async function listByAddress(
  access: CollectionAccess,
  { addresses, limit }: { addresses: readonly string[]; limit: number },
): Promise<Stored<Records['customerAddresses']>[]> {
  // One query for each value: an address that many have had must not take the slots of the others.
  const finds = addresses.map((address) =>
    access.find('customerAddresses', { 'row.address': address }, { limit }),
  )
  const [found, erased] = await Promise.all([Promise.all(finds), findErasuresShared(access)])
  const rows = await visibleRows(access, 'customerAddresses', { rows: found.flat(), erased })
  return rows.flatMap((row) => ifReadable(() => toRecord('customerAddresses', row)))
}

/** Finds an idempotency reply; undefined also for a reply about an erased subject. */
async function findReply(
  access: CollectionAccess,
  id: string,
): Promise<Stored<Records['idempotency']> | undefined> {
  const [found, erased] = await Promise.all([access.findOne('idempotency', id), findErasuresShared(access)])
  const reply = found && toRecord('idempotency', found)
  return reply && !(await isAnyErased(access, reply.subjects, erased)) ? reply : undefined
}

async function findEach<T>(
  find: (id: string) => Promise<T | undefined>,
  ids: readonly string[],
): Promise<T[]> {
  const found = await Promise.all([...new Set(ids)].map(find))
  return found.filter((row) => row !== undefined)
}

/** Returns the reads of every kind, by its declaration. */
function kindStores(
  scope: Scope,
  { finder, allFinder }: Pick<ReturnType<typeof createReaders>, 'finder' | 'allFinder'>,
): KindStores {
  const { access, parts } = scope
  const stores = tenantKinds.map((kind) => {
    const findKept = (id: string) => parts.gate.pass(() => findReply(access, id))
    const reads = rulesOf(kind).subjects
      ? { find: findKept, findAll: (ids: readonly string[]) => findEach(findKept, ids) }
      : { find: finder(kind), findAll: allFinder(kind) }
    if (!isListed(kind)) return [kind, reads]
    const list = (filter: ListFilter<typeof kind>) => parts.gate.pass(() => listKind(scope, kind, filter))
    const listRows = (filter: ListFilter<typeof kind>) =>
      parts.gate.pass(async () => withoutTotal(await listKind(scope, kind, filter, true)))
    return [kind, { ...reads, list, listRows }]
  })
  return Object.fromEntries(stores) as KindStores
}

export function createTenantStore(tenantId: TenantId, parts: TenantStoreParts): TenantStore {
  const { gate } = parts
  const access = parts.database.tenant(tenantId)
  const scope: Scope = { tenantId, access, readList: createListReader(access), parts }
  const { findOne, finder, allFinder } = createReaders(scope)
  const stores = kindStores(scope, { finder, allFinder })
  return {
    ...stores,
    tenantId,
    customers: {
      ...stores.customers,
      listByContact: (contacts) => gate.pass(() => listByContact(access, contacts)),
    },
    customerAddresses: {
      ...stores.customerAddresses,
      listByAddress: (of) => gate.pass(() => listByAddress(access, of)),
    },
    conversations: {
      ...stores.conversations,
      list: (filter) =>
        gate.pass(async () => toRecordPage('conversations', await readConversations(scope, filter))),
      listRows: (filter) =>
        gate.pass(async () => {
          const page = await readConversations(scope, filter, true)
          return withoutTotal(toRecordPage('conversations', page))
        }),
      countLabels: (range) => gate.pass(async () => mergeSpellings(await countLabels(access, range))),
    },
    messages: {
      ...stores.messages,
      findByClientMessageId: (conversationId, clientMessageId) =>
        findOne('messages', {
          'row.conversationId': conversationId,
          'row.clientMessageId': clientMessageId,
        }),
    },
    users: {
      ...stores.users,
      findOther: ({ role, except }) =>
        findOne('users', { 'row.role': role, 'row.isActive': true, id: trusted({ $ne: except }) }),
    },
    webhooks: {
      ...stores.webhooks,
      count: () => gate.pass(() => access.count('webhooks', {}, Number.MAX_SAFE_INTEGER)),
      hears: (type) => gate.pass(async () => isHeard(await parts.readSubscriptions(tenantId, access), type)),
      counts: (ids) => gate.pass(() => readCounts(access, ids)),
    },
    findMatches: (kind, query) => gate.pass(() => findMatches(access, kind, query)),
    attempts: createAttempts(scope),
    events: createEventLog({ database: parts.database, access, gate }),
    erasedLinks: { listAmong: (of) => gate.pass(() => listErasedLinks(scope, of)) },
    usage: {
      list: (filter) => gate.pass(() => listUsage(access, filter)),
      findMetrics: (month) => gate.pass(() => findMetrics(access, month)),
    },
    usedOf: (quota, of) => gate.pass(() => countQuotaUse(access, quota, of)),
    version: async () => (await finder('tenants')(tenantId))?.version ?? 0,
    phones: async () => phonesOfTenant(await finder('tenants')(tenantId)),
    commit: (change) => parts.commit(tenantId, change),
    eraseNext: (page) => parts.eraseNext(tenantId, page),
  }
}

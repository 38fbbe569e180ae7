import { describe, expect, test } from 'vitest'
import type { Write } from '../../../src/ports/change.ts'
import type { Storage, TenantStore } from '../../../src/ports/storage.ts'
import { VersionConflict } from '../../../src/storage/errors.ts'
import { isListed, rulesOf, tenantKinds } from '../../../src/storage/kinds/derive.ts'
import { quotaRules } from '../../../src/storage/kinds/quotas.ts'
import type { ListedKind, TenantKind } from '../../../src/storage/kinds/registry.ts'
import type { TenantId } from '../../../src/storage/records.ts'
import { type Open, rejection, useSharedStorage } from './harness.contract.ts'
import { ownersNamedBy } from './kinds.contract.ts'
import { filterCases } from './list-cases.contract.ts'
import {
  add,
  at,
  insertOf,
  resultOf,
  sample,
  sampleAttempt,
  sampleEvent,
  sampleMetrics,
  sampleUsage,
} from './samples.contract.ts'

const all = { page: 1, limit: 100 }
const eventOfA = sampleEvent({ about: 'a_customer' })

async function fill(store: TenantStore): Promise<void> {
  await add(store, 'webhooks', [{ _id: 'a_webhook' }])
  await add(store, 'customers', [{ _id: 'a_customer', tags: ['secret'] }])
  await add(store, 'customerAddresses', [{ customerId: 'a_customer', address: 'ada@example.com' }])
  await add(store, 'conversations', [
    { _id: 'a_conversation', customerId: 'a_customer', assignedTo: 'a_user', subject: 'Secret subject' },
  ])
  await add(store, 'messages', [
    { _id: 'a_message', conversationId: 'a_conversation', clientMessageId: 'a_client' },
    {
      _id: 'a_word',
      conversationId: 'a_conversation',
      sender: { type: 'customer', _id: 'a_customer', name: null },
    },
  ])
  await add(store, 'attachments', [
    { _id: 'a_attachment', messageId: 'a_message' },
    { _id: 'a_file_of_visitor', widgetSessionId: 'a_session' },
    { _id: 'a_file_of_import', integrationId: 'a_integration' },
    { _id: 'a_raw_mail', inboundMailId: 'a_mail' },
  ])
  await add(store, 'users', [{ _id: 'a_user', role: 'owner' }])
  await add(store, 'inboxes', [{ _id: 'a_inbox' }])
  await add(store, 'apiKeys', [{ _id: 'a_key' }])
  await add(store, 'auditLog', [{ _id: 'a_audit' }])
  await add(store, 'idempotency', [{ _id: 'a_reply', subjects: ['a_customer'] }])
  await add(store, 'sessions', [{ _id: 'a_session' }])
  await add(store, 'tasks', [{ _id: 'a_task', type: 'emptyInbox', subjectId: 'a_former_inbox' }])
  await store.attempts.record(sampleAttempt(store.tenantId, { _id: 'a_attempt', webhookId: 'a_webhook' }))
  await store.commit({ writes: [], events: [eventOfA] })
  await add(store, 'conversations', [{ _id: 'a_gone', externalIds: ['elsewhere:1'] }])
  const gone = { op: 'erase', kind: 'conversations', id: 'a_gone', at: at(1) } as const
  await store.commit({ writes: [gone], events: [] })
}

const late = at(1_000_000)

/** One result, so that there is something to count. */
async function deliver({ system }: Storage, tenantId: TenantId): Promise<void> {
  const deliveryQueue = { tenantId, webhookId: 'a_webhook', isRetry: false, limit: 1 }
  const lease = { now: late, leaseMs: 60_000, lockToken: 'l', deliveryQueues: [deliveryQueue] }
  const [claimed] = await system.claimDueAttempts(lease)
  const results = (claimed?.claims ?? []).map((claim) => resultOf(claim))
  if ((await system.finishAttempts(results)) !== 1) throw new Error('the sample was not delivered')
}

/** The row of A that `find` and the filters of each kind find. */
const idOfA = (kind: TenantKind) => `a_row_of_${kind}`

async function fillKinds(store: TenantStore): Promise<void> {
  for (const kind of tenantKinds) {
    const row = sample[kind](store.tenantId, { _id: idOfA(kind), ...hitsOf(kind) } as never)
    for (const owner of ownersNamedBy(kind, row as never)) {
      const found = await (store[owner.kind as TenantKind] as { find(id: string): Promise<unknown> }).find(
        owner.id,
      )
      if (found === undefined) await add(store, owner.kind as TenantKind, [{ _id: owner.id } as never])
    }
    await add(store, kind, [row as never])
    const others = missedBy(kind).map((hit, index) => ({
      ...hitsOf(kind),
      ...uniqueTexts(kind, index),
      ...hit,
      _id: `${idOfA(kind)}_${index}`,
    }))
    await add(store, kind, others as never[])
  }
}

/** Fields of a row that every filter of its kind's list finds. */
function hitsOf(kind: TenantKind): object {
  // Rows without a value are found by a filter of their own: the first case of a filter has a value.
  const cases = isListed(kind) ? filterCases(kind).toReversed() : []
  return Object.assign({}, ...cases.map(({ hit }) => hit))
}

/** Texts that no two rows may share, such as the identity of a mail. */
function uniqueTexts(kind: TenantKind, index: number): object {
  const columns = Object.values(rulesOf(kind).unique ?? {}).flat()
  const texts = Object.entries(hitsOf(kind)).filter(
    ([name, value]) => columns.includes(name) && name.endsWith('Key') && typeof value === 'string',
  )
  return Object.fromEntries(texts.map(([name, value]) => [name, `${value} ${index}`]))
}

/** Fields of the rows of filters that do not find the row of all the others, such as another kind of author. */
function missedBy(kind: TenantKind): object[] {
  const ofRow: Readonly<Record<string, unknown>> = { ...hitsOf(kind) }
  const isMissed = ([name, value]: [string, unknown]) => JSON.stringify(ofRow[name]) !== JSON.stringify(value)
  const hits = isListed(kind) ? filterCases(kind).map(({ hit }) => hit) : []
  return hits.filter((hit) => Object.entries(hit).some(isMissed))
}

function argumentsOfList(kind: ListedKind): unknown[][] {
  const row = sample[kind]('ten_1' as TenantId, { _id: idOfA(kind), ...hitsOf(kind) } as never) as never
  const other = { tags: [], labels: [] } as never
  const needed = rulesOf(kind).list?.needsOneOf ?? []
  const cases = [
    ...new Map(
      filterCases(kind)
        .toReversed()
        .map((one) => [one.filter, one]),
    ).values(),
  ]
  const filters = cases.map(({ filter, asked }) => ({ [filter]: asked(row, other) }))
  const [first] = filters.filter((filter) => needed.some((name) => name in filter))
  const orders = Object.keys(rulesOf(kind).list?.orders ?? {})
  return [
    ...orders.map((sort) => [{ ...all, ...first, sort }]),
    ...filters.map((filter) => {
      const isEnough = needed.some((name) => name in filter)
      return [{ ...all, ...(isEnough ? {} : first), ...filter }]
    }),
  ]
}

/** Arguments of `find`, `findAll`, `list` and `listRows` of every kind, as it is declared. */
const declaredSamples: Record<string, unknown[][]> = Object.fromEntries(
  tenantKinds.flatMap((kind) => [
    [`${kind}.find`, [[idOfA(kind)]]],
    [`${kind}.findAll`, [[[idOfA(kind)]]]],
    ...(isListed(kind)
      ? ['list', 'listRows'].map((method) => [`${kind}.${method}`, argumentsOfList(kind)])
      : []),
  ]),
)

const anyMatch = { rule: {}, time: {}, hasFile: false, limit: 10, budgetMs: 60_000 }

/** Every other method, with arguments that find something of tenant A. A missing entry fails the suite. */
const ownSamples: Record<string, unknown[][]> = {
  findMatches: [
    ['customers', { ...anyMatch, words: 'lovelace' }],
    ['conversations', { ...anyMatch, words: 'secret' }],
    ['conversations', { ...anyMatch, words: '', rule: { customerIds: ['a_customer'] } }],
    ['conversations', { ...anyMatch, words: '' }],
    ['messages', { ...anyMatch, words: 'line two' }],
  ],
  'conversations.countLabels': [[{ from: '', to: '9' }], [{ from: '', to: '9', usedBy: 'a_user' }]],
  'customers.listByContact': [
    [{ emails: ['ada@example.com'], phoneTails: [], limit: 10 }],
    [{ emails: [], phoneTails: ['79460958'], limit: 10 }],
  ],
  'customerAddresses.listByAddress': [[{ addresses: ['ada@example.com'], limit: 10 }]],
  'messages.findByClientMessageId': [['a_conversation', 'a_client']],
  'users.findOther': [[{ role: 'owner', except: 'nobody' }]],
  'webhooks.count': [[]],
  'webhooks.counts': [[['a_webhook']]],
  'webhooks.hears': [['customer.created']],
  'attempts.find': [['a_attempt']],
  'attempts.listLatest': [[{ webhookId: 'a_webhook', eventIds: [eventOfA._id] }]],
  'attempts.list': [[{ ...all, webhookId: 'a_webhook' }]],
  'events.find': [[eventOfA._id]],
  'events.read': [[{ types: ['customer.created'], limit: 10 }]],
  'events.positionBefore': [[late]],
  'events.newestPosition': [[]],
  'erasedLinks.listAmong': [[{ kind: 'conversations', externalIds: ['elsewhere:1', 'elsewhere:2'] }]],
  'usage.list': [[{ month: '2026-03', apiKeyId: 'key_1' }], [{ month: '2026-03', apiKeyId: null }]],
  'usage.findMetrics': [['2026-03']],
  usedOf: quotaRules.map(({ name }) => [name]),
  version: [[]],
  phones: [[]],
}

/** Further lists: several conditions at once, short terms, and a search through messages. */
const moreLists: Record<string, unknown[][]> = {
  'customers.list': [
    [{ ...all, sort: 'lastName', tags: ['secret'] }],
    [{ ...all, sort: '-createdAt', search: 'lovelace' }],
    [{ ...all, sort: '-createdAt', search: 'ad' }],
    [{ ...all, sort: 'updatedAt', tier: 'gold', status: 'active', tags: ['secret'] }],
  ],
  'conversations.list': [
    [{ ...all, sort: 'priority', customerId: 'a_customer' }],
    [{ ...all, sort: '-updatedAt', label: 'billing' }],
    [{ ...all, sort: '-createdAt', search: 'secret' }],
    [{ ...all, sort: '-createdAt', search: 'line two' }],
  ],
}

const samplesOfA: Record<string, unknown[][]> = Object.fromEntries(
  Object.entries({ ...declaredSamples, ...ownSamples }).map(([name, samples]) => [
    name,
    [...samples, ...(moreLists[name] ?? [])],
  ]),
)
/** Methods that write; each has its own test below. */
const writers = ['commit', 'attempts.record', 'eraseNext']

type Method = (...args: unknown[]) => Promise<unknown>

function methodsOf(store: TenantStore): Map<string, Method> {
  const methods = new Map<string, Method>()
  for (const [name, member] of Object.entries(store as unknown as Record<string, unknown>)) {
    if (typeof member === 'function') methods.set(name, member as Method)
    if (typeof member !== 'object' || member === null) continue
    for (const [inner, method] of Object.entries(member)) {
      if (typeof method === 'function') methods.set(`${name}.${inner}`, method as Method)
    }
  }
  return methods
}

function isNothing(response: unknown): boolean {
  if (response === undefined || response === 0 || response === false) return true
  if (Array.isArray(response)) return response.length === 0
  const { rows, total, nextCursor, labelled, isPartial } = response as {
    rows?: unknown[]
    isPartial?: boolean
    total?: number
    nextCursor?: unknown
    labelled?: number
  }
  if (labelled !== undefined) return labelled === 0
  if (isPartial !== undefined) return rows?.length === 0 && !isPartial
  return rows?.length === 0 && (total ?? 0) === 0 && nextCursor === null
}

const writesOnA: Record<string, Write> = {
  update: {
    op: 'update',
    kind: 'customers',
    id: 'a_customer',
    expectVersion: 1,
    set: { jobTitle: 'stolen' },
  },
  patch: { op: 'patch', kind: 'conversations', id: 'a_conversation', increment: { messageCount: 1 } },
  remove: { op: 'remove', kind: 'customers', id: 'a_customer', expectVersion: 1 },
  'remove a webhook': { op: 'remove', kind: 'webhooks', id: 'a_webhook', expectVersion: 1 },
  'erase a customer': { op: 'erase', kind: 'customers', id: 'a_customer', at: at(1) },
  'erase a conversation': { op: 'erase', kind: 'conversations', id: 'a_conversation', at: at(1) },
}

export function describeIsolation(open: Open): void {
  describe('tenant isolation', () => {
    const harness = useSharedStorage(open)

    async function twoTenants() {
      const [a, b] = [harness.newTenant(), harness.newTenant()]
      const writes = [insertOf('tenants', sample.tenants(a.id, { isSuspended: false, country: 'DE' }))]
      await harness.storage.system.commit(a.id, { writes, events: [] })
      await harness.storage.system.addUsage([
        sampleUsage(a.id),
        sampleUsage(a.id, { apiKeyId: null }),
        sampleUsage(b.id, { apiKeyId: 'key_of_b' }),
      ])
      await harness.storage.system.addRequestMetrics([
        sampleMetrics(a.id),
        sampleMetrics(b.id, { month: '2026-04' }),
      ])
      await fill(a.store)
      await fillKinds(a.store)
      await deliver(harness.storage, a.id)
      await harness.storage.system.sequenceEvents(100)
      return { a, b }
    }

    test('every method of a tenant’s store has sample arguments', () => {
      const names = [...methodsOf(harness.newTenant().store).keys()].sort()
      expect(
        names,
        'a new method needs arguments in packages/server/test/contracts/storage/isolation.contract.ts',
      ).toEqual([...Object.keys(samplesOfA), ...writers].sort())
    })

    test.each(Object.keys(samplesOfA))(
      '%s returns rows of tenant A to A and nothing to tenant B',
      async (name) => {
        const { a, b } = await twoTenants()
        // B has rows in the same tables, so that ranges and partitions could be confused.
        await add(b.store, 'idempotency', [{ _id: 'b_reply' }])
        for (const args of samplesOfA[name] ?? []) {
          const [ofA, ofB] = [methodsOf(a.store).get(name), methodsOf(b.store).get(name)]
          expect(isNothing(await ofA?.(...args)), `A, ${JSON.stringify(args)}`).toBe(false)
          expect(isNothing(await ofB?.(...args)), `B, ${JSON.stringify(args)}`).toBe(true)
        }
      },
    )

    test('a search that matches rows of both tenants returns each tenant only its own', async () => {
      const { a, b } = await twoTenants()
      await add(b.store, 'customers', [{ _id: 'b_customer' }])
      for (const { store, expected } of [
        { store: a.store, expected: 'a_customer' },
        { store: b.store, expected: 'b_customer' },
      ]) {
        const { rows, total } = await store.customers.list({
          ...all,
          sort: '-createdAt',
          search: 'ada lovelace',
        })
        expect({ ids: rows.map(({ _id }) => _id), total }).toEqual({ ids: [expected], total: 1 })
      }
    })

    test.each(Object.entries(writesOnA))(
      '%s: a write that works for A is a version conflict for B and changes nothing',
      async (_name, write) => {
        const { a, b } = await twoTenants()
        const snapshot = async () => {
          const reads = Object.entries(samplesOfA).flatMap(([name, samples]) =>
            samples.map((args) => methodsOf(a.store).get(name)?.(...args)),
          )
          return JSON.stringify(await Promise.all(reads))
        }
        const before = await snapshot()
        expect(await rejection(b.store.commit({ writes: [write], events: [] }))).toBeInstanceOf(
          VersionConflict,
        )
        expect(await snapshot()).toBe(before)
        await a.store.commit({ writes: [write], events: [] })
        expect(await snapshot()).not.toBe(before)
      },
    )

    test('B cannot insert a row or record an attempt that names A as its tenant', async () => {
      const { a, b } = await twoTenants()
      const row = sample.customers(a.id, { _id: 'planted' })
      expect(
        await rejection(b.store.commit({ writes: [insertOf('customers', row)], events: [] })),
      ).toBeInstanceOf(Error)
      expect(
        await rejection(b.store.attempts.record(sampleAttempt(a.id, { _id: 'planted' }))),
      ).toBeInstanceOf(Error)
      const set = { tenantId: a.id as string }
      await add(b.store, 'customers', [{ _id: 'b_customer' }])
      const move = { op: 'update', kind: 'customers', id: 'b_customer', expectVersion: 1, set } as const
      expect(await rejection(b.store.commit({ writes: [move], events: [] }))).toBeInstanceOf(Error)
      for (const store of [a.store, b.store]) {
        expect(await store.customers.find('planted')).toBeUndefined()
        expect(await store.attempts.find('planted')).toBeUndefined()
      }
      expect(await b.store.customers.find('b_customer')).toMatchObject({ tenantId: b.id })
    })

    test('the commit of a tenant cannot write tenants and identities', async () => {
      const { a } = await twoTenants()
      for (const kind of ['tenants', 'identities'] as const) {
        const write = insertOf(kind, sample[kind](a.id) as never) as never
        expect(await rejection(a.store.commit({ writes: [write], events: [] }))).toBeInstanceOf(Error)
      }
    })

    test('a system commit for B cannot write A’s tenant row', async () => {
      const { a, b } = await twoTenants()
      const { system } = harness.storage
      const set = { name: 'stolen' }
      const write = { op: 'update', kind: 'tenants', id: a.id as string, expectVersion: 1, set } as const
      expect(await rejection(system.commit(b.id, { writes: [write], events: [] }))).toBeInstanceOf(
        VersionConflict,
      )
      expect((await system.findTenant(a.id))?.name).not.toBe('stolen')
    })

    test('an event of B plans no attempt at webhooks of A', async () => {
      const { a, b } = await twoTenants()
      const before = (await a.store.attempts.list({ webhookId: 'a_webhook', ...all })).total
      await b.store.commit({ writes: [], events: [sampleEvent()] })
      expect((await a.store.attempts.list({ webhookId: 'a_webhook', ...all })).total).toBe(before)
    })

    test('an unknown tenant sees nothing, also with an empty or hostile id', async () => {
      await twoTenants()
      for (const id of ['', '%', "' OR 1=1 --", '\u0000', 'ten_nobody']) {
        const store = harness.storage.forTenant(id as TenantId)
        for (const [name, samples] of Object.entries(samplesOfA)) {
          for (const args of samples)
            expect(isNothing(await methodsOf(store).get(name)?.(...args)), `${id} ${name}`).toBe(true)
        }
      }
    })
  })
}

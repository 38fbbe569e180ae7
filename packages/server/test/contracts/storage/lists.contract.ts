import { conversationSorts, customerSorts } from '@crmkit/core'
import { describe, expect, test } from 'vitest'
import type { TenantStore } from '../../../src/ports/storage.ts'
import { InvalidCursor } from '../../../src/storage/errors.ts'
import type { ConversationFilter, CustomerFilter } from '../../../src/storage/pages.ts'
import { type Open, rejection, useSharedStorage } from './harness.contract.ts'
import { type List, readEverything } from './read-everything.contract.ts'
import { add, at, sampleAttempt } from './samples.contract.ts'

const first = { page: 1, limit: 100 }

function isOrdered(values: readonly (string | number)[], isDescending: boolean): boolean {
  return values.every((value, index) => {
    const before = values[index - 1]
    return before === undefined || (isDescending ? before >= value : before <= value)
  })
}

export function describeLists(open: Open): void {
  describe('lists', () => {
    const harness = useSharedStorage(open)

    /** Ties in every sort value, so that only the id makes the order stable. */
    async function storeMany(): Promise<TenantStore> {
      const { store } = harness.newTenant()
      const lastNames = ['Zimmer', 'adams', 'Émile', 'Ångström', null, 'Adams']
      await add(
        store,
        'customers',
        Array.from({ length: 23 }, (_, i) => ({
          _id: `cus_${(i * 7) % 23}`,
          createdAt: at(i % 4),
          updatedAt: at(10 - (i % 3)),
          profile: {
            firstName: null,
            lastName: lastNames[i % 6] ?? null,
            email: null,
            phone: null,
            company: null,
          },
        })),
      )
      const priorities = ['low', 'medium', 'high', 'urgent'] as const
      const statuses = ['open', 'closed', 'pending', 'snoozed'] as const
      await add(
        store,
        'conversations',
        Array.from({ length: 23 }, (_, i) => ({
          _id: `con_${(i * 7) % 23}`,
          createdAt: at(i % 4),
          updatedAt: at(10 - (i % 3)),
          priority: priorities[i % 4]!,
          status: statuses[i % 3]!,
        })),
      )
      return store
    }

    test.each(customerSorts)(
      'customers by %s: pages and cursors give every row once, in one stable order',
      async (sort) => {
        const store = await storeMany()
        const ids = await readEverything((paging) => store.customers.list({ ...paging, sort }), 5)
        expect(new Set(ids).size).toBe(23)
        const rows = (await store.customers.list({ ...first, sort })).rows
        const field = sort.replace('-', '')
        if (field === 'lastName') {
          const names = rows.map(({ profile }) => profile.lastName?.toLowerCase() ?? null)
          expect(names.slice(0, 7)).toEqual(Array(7).fill('adams'))
          expect(names.slice(-4)).toEqual([null, null, null, null])
        } else {
          const values = rows.map((row) => row[field as 'createdAt'])
          expect(isOrdered(values, sort.startsWith('-'))).toBe(true)
        }
      },
    )

    test.each(conversationSorts)(
      'conversations by %s: pages and cursors give every row once, in one stable order',
      async (sort) => {
        const store = await storeMany()
        const ids = await readEverything((paging) => store.conversations.list({ ...paging, sort }), 5)
        expect(new Set(ids).size).toBe(23)
        const rows = (await store.conversations.list({ ...first, sort })).rows
        if (sort === 'priority') {
          const ranks = rows.map(({ priority }) => ['low', 'medium', 'high', 'urgent'].indexOf(priority))
          expect(isOrdered(ranks, true)).toBe(true)
          expect(rows[0]?.priority).toBe('urgent')
        } else {
          const values = rows.map((row) => row[sort.replace('-', '') as 'createdAt'])
          expect(isOrdered(values, sort.startsWith('-'))).toBe(true)
        }
      },
    )

    test('rows that are added while a reader follows cursors neither hide a row nor show one twice', async () => {
      const { store } = harness.newTenant()
      await add(
        store,
        'customers',
        Array.from({ length: 9 }, (_, i) => ({ createdAt: at(i) })),
      )
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await store.customers.list({ page: 1, limit: 2, sort: '-createdAt', cursor })
        seen.push(...page.rows.map(({ _id }) => _id))
        cursor = page.nextCursor ?? undefined
        await add(store, 'customers', [{ createdAt: at(100 + seen.length) }])
      } while (cursor)
      expect(seen).toHaveLength(9)
      expect(new Set(seen).size).toBe(9)
    })

    test('a page after the last one is empty and still has the total', async () => {
      const store = await storeMany()
      for (const page of [3, 50_000, 2 ** 31 - 1]) {
        const result = await store.customers.list({ page, limit: 100, sort: '-createdAt' })
        expect(result).toEqual({ rows: [], total: 23, totalIsEstimate: false, nextCursor: null })
      }
    })

    test('a cursor that this list and order has not returned is refused', async () => {
      const store = await storeMany()
      const { nextCursor } = await store.customers.list({ page: 1, limit: 5, sort: '-createdAt' })
      const bent = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const cursors = [
        '',
        'x',
        'null',
        `${nextCursor}=`,
        `${nextCursor} `,
        bent([]),
        bent({}),
        bent(['customers:-createdAt', 5, 'a']),
      ]
      for (const cursor of cursors) {
        const list = store.customers.list({ page: 1, limit: 5, sort: '-createdAt', cursor })
        expect(await rejection(list), cursor).toBeInstanceOf(InvalidCursor)
      }
      const cursor = nextCursor ?? ''
      const elsewhere: (() => Promise<unknown>)[] = [
        () => store.customers.list({ page: 1, limit: 5, sort: 'createdAt', cursor }),
        () => store.customers.list({ page: 1, limit: 5, sort: 'lastName', cursor, search: 'a' }),
        () => store.conversations.list({ page: 1, limit: 5, sort: '-createdAt', cursor }),
        () => store.messages.list({ conversationId: 'con_1', sort: 'createdAt', page: 1, limit: 5, cursor }),
        () => store.attempts.list({ webhookId: 'whk_of_nobody', page: 1, limit: 5, cursor }),
      ]
      for (const list of elsewhere) expect(await rejection(list())).toBeInstanceOf(InvalidCursor)
    })

    test('attempts are listed newest first, and webhooks are counted', async () => {
      const { id, store } = harness.newTenant()
      const webhooks = await add(store, 'webhooks', [{}, {}])
      const webhookId = webhooks[0]!._id
      const attempts = Array.from({ length: 5 }, (_, i) =>
        sampleAttempt(id, { webhookId, createdAt: at(100 - i), status: i % 2 ? 'success' : 'failed' }),
      )
      for (const attempt of attempts) await store.attempts.record(attempt)
      const list: List = (paging) => store.attempts.list({ webhookId, ...paging })
      expect(await readEverything(list, 2)).toEqual(attempts.map(({ _id }) => _id))
      expect(await store.webhooks.count()).toBe(2)
    })
  })

  describe('filters', () => {
    const harness = useSharedStorage(open)

    const customerFilters: [Partial<CustomerFilter>, string[]][] = [
      [{ tier: 'gold' }, ['a', 'c']],
      [{ status: 'inactive' }, ['b', 'c']],
      [{ tier: 'gold', status: 'inactive' }, ['c']],
      [{ tags: ['vip'] }, ['a', 'b']],
      [{ tags: ['VIP', 'Straße'] }, ['b']],
      [{ tags: ['straSSe'] }, []],
      [{ tags: ['vip'], tier: 'gold' }, ['a']],
      [{ updatedSince: at(12) }, ['b', 'c']],
      [{ updatedSince: at(12), tags: ['vip'], status: 'inactive' }, ['b']],
      [{ search: 'gamma' }, ['c']],
      [{ search: 'example', tier: 'gold', status: 'inactive', updatedSince: at(1) }, ['c']],
      [{ search: 'example', tags: ['vip', 'straße'] }, ['b']],
      [{ tier: 'platinum' }, []],
      [{ tags: ['nobody'] }, []],
    ]
    test.each(customerFilters)('customers %j, in every order', async (filter, expected) => {
      const { store } = harness.newTenant()
      const profile = (firstName: string) => ({
        firstName,
        lastName: null,
        email: 'x@example.com',
        phone: null,
        company: null,
      })
      await add(store, 'customers', [
        {
          _id: 'a',
          tier: 'gold',
          status: 'active',
          tags: ['Vip'],
          updatedAt: at(11),
          profile: profile('Alpha'),
        },
        {
          _id: 'b',
          tier: 'silver',
          status: 'inactive',
          tags: ['VIP', 'straße'],
          updatedAt: at(12),
          profile: profile('Beta'),
        },
        {
          _id: 'c',
          tier: 'gold',
          status: 'inactive',
          tags: [],
          updatedAt: at(13),
          profile: profile('Gamma'),
        },
      ])
      for (const sort of customerSorts) {
        const { rows, total } = await store.customers.list({ ...first, ...filter, sort })
        expect(rows.map(({ _id }) => _id).sort(), sort).toEqual(expected)
        expect(total).toBe(expected.length)
      }
    })

    const conversationFilters: [Partial<ConversationFilter>, string[]][] = [
      [{ status: ['open'] }, ['a']],
      [{ status: ['open', 'snoozed'] }, ['a', 'c']],
      [{ status: ['open', 'open', 'closed', 'pending', 'snoozed'] }, ['a', 'b', 'c']],
      [{ priority: 'high' }, ['a', 'b']],
      [{ channel: 'chat' }, ['c']],
      [{ assignedTo: 'usr_1' }, ['a']],
      [{ assignedTo: 'none' }, ['b', 'c']],
      [{ assignedTo: 'usr_unknown' }, []],
      [{ inboxId: 'inb_2' }, ['b', 'c']],
      [{ customerId: 'cus_1' }, ['a', 'c']],
      [{ label: 'billing' }, ['a', 'b']],
      [{ label: 'BILLING', status: ['closed'] }, ['b']],
      [{ label: 'billing', search: 'refund' }, ['a']],
      [{ search: 'refund' }, ['a', 'c']],
      [{ search: 'refund', status: ['snoozed'] }, ['c']],
      [{ updatedSince: at(12) }, ['b', 'c']],
      [
        { status: ['open'], assignedTo: 'usr_1', inboxId: 'inb_1', channel: 'email', priority: 'high' },
        ['a'],
      ],
      [
        {
          status: ['closed'],
          updatedSince: at(12),
          priority: 'high',
          customerId: 'cus_2',
          assignedTo: 'none',
        },
        ['b'],
      ],
    ]
    test.each(conversationFilters)('conversations %j, in every order', async (filter, expected) => {
      const { store } = harness.newTenant()
      await add(store, 'conversations', [
        {
          _id: 'a',
          subject: 'Refund',
          status: 'open',
          priority: 'high',
          assignedTo: 'usr_1',
          customerId: 'cus_1',
          updatedAt: at(11),
        },
        {
          _id: 'b',
          status: 'closed',
          priority: 'high',
          inboxId: 'inb_2',
          customerId: 'cus_2',
          updatedAt: at(12),
        },
        {
          _id: 'c',
          status: 'snoozed',
          channel: 'chat',
          inboxId: 'inb_2',
          customerId: 'cus_1',
          labels: ['x'],
          updatedAt: at(13),
        },
      ])
      await add(store, 'messages', [{ conversationId: 'c', content: 'I want a refund' }])
      for (const sort of conversationSorts) {
        const { rows, total } = await store.conversations.list({ ...first, ...filter, sort })
        expect(rows.map(({ _id }) => _id).sort(), sort).toEqual(expected)
        expect(total).toBe(expected.length)
      }
    })

    test('a row moves between filters when it changes', async () => {
      const { store } = harness.newTenant()
      await add(store, 'conversations', [{ _id: 'con_1', labels: ['old'], updatedAt: at(1) }])
      const set = { labels: ['New'], status: 'closed' as const, assignedTo: 'usr_9', updatedAt: at(50) }
      await store.commit({
        writes: [{ op: 'update', kind: 'conversations', id: 'con_1', expectVersion: 1, set }],
        events: [],
      })
      const count = async (filter: Partial<ConversationFilter>) =>
        (await store.conversations.list({ ...first, sort: '-updatedAt', ...filter })).total
      expect(
        await Promise.all([
          count({ label: 'old' }),
          count({ status: ['open'] }),
          count({ assignedTo: 'none' }),
        ]),
      ).toEqual([0, 0, 0])
      expect(
        await Promise.all([
          count({ label: 'new' }),
          count({ status: ['closed'] }),
          count({ assignedTo: 'usr_9' }),
        ]),
      ).toEqual([1, 1, 1])
    })

    test('attempts by webhook and status, active users by role', async () => {
      const { id, store } = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w2' }])
      await add(store, 'users', [
        { _id: 'u1', role: 'owner' },
        { _id: 'u2', role: 'owner' },
        { _id: 'u3', role: 'owner', isActive: false },
        { _id: 'u4' },
      ])
      await store.attempts.record(sampleAttempt(id, { _id: 'l1', webhookId: 'w2' }))
      await store.attempts.record(sampleAttempt(id, { _id: 'l2', webhookId: 'w2', status: 'success' }))
      const idsOf = ({ rows }: { rows: { _id: string }[] }) => rows.map(({ _id }) => _id).sort()
      expect(idsOf(await store.attempts.list({ ...first, webhookId: 'w2', status: 'success' }))).toEqual([
        'l2',
      ])
      expect(idsOf(await store.attempts.list({ ...first, webhookId: 'w1' }))).toEqual([])
      expect(await store.users.findOther({ role: 'owner', except: 'u1' })).toMatchObject({
        role: 'owner',
        isActive: true,
      })
      expect(await store.users.findOther({ role: 'viewer', except: '' })).toBeUndefined()
    })
  })

  describe('totals', () => {
    const harness = useSharedStorage(open)

    test('totals are exact up to 10,000 rows; above, they are marked as estimates', async () => {
      const { store } = harness.newTenant()
      for (let i = 0; i < 20; i++) {
        await add(
          store,
          'auditLog',
          Array.from({ length: 500 }, (_, j) => ({ at: at(i * 500 + j) })),
        )
      }
      const list = (page: number) => store.auditLog.list({ page, limit: 100 })
      expect(await list(1)).toMatchObject({ total: 10_000, totalIsEstimate: false })
      await add(store, 'auditLog', [{ at: at(20_000) }, { at: at(20_001) }])
      const { total, totalIsEstimate } = await list(1)
      expect(totalIsEstimate).toBe(true)
      expect(total).toBeGreaterThan(10_000)
      const deep = await list(101)
      expect(deep.rows).toHaveLength(2)
      expect(deep.rows.at(-1)?.at).toBe(at(0))
      expect(deep.nextCursor).toBeNull()
    })

    test('more than 10,000 conversations of a filter without an index of its own begin with those that wait longest, and their total is an estimate', async () => {
      const { store } = harness.newTenant()
      for (let i = 0; i < 20; i++) {
        const labels = ['x']
        const rows = Array.from({ length: 500 }, (_, j) => ({ labels, waitingSince: at(i * 500 + j) }))
        await add(store, 'conversations', rows)
      }
      const list = () => store.conversations.list({ page: 1, limit: 2, label: 'x', sort: 'waiting' })
      const longest = [{ waitingSince: at(0) }, { waitingSince: at(1) }]
      expect(await list()).toMatchObject({ total: 10_000, totalIsEstimate: false, rows: longest })
      await add(store, 'conversations', [{ labels: ['x'], waitingSince: at(-1) }, { labels: ['x'] }])
      const { rows, total, totalIsEstimate } = await list()
      expect(totalIsEstimate).toBe(true)
      expect(total).toBeGreaterThan(10_000)
      expect(rows).toMatchObject([{ waitingSince: at(-1) }, { waitingSince: at(0) }])
    })
  })
}

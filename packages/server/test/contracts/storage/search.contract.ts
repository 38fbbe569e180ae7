import { conversationSorts } from '@crmkit/core'
import { describe, expect, test } from 'vitest'
import type { TenantStore } from '../../../src/ports/storage.ts'
import { type Open, useSharedStorage } from './harness.contract.ts'
import { add, at } from './samples.contract.ts'

async function customersFound(store: TenantStore, search: string): Promise<string[]> {
  const { rows, total } = await store.customers.list({ page: 1, limit: 50, sort: 'createdAt', search })
  expect(total).toBe(rows.length)
  return rows.map(({ _id }) => _id)
}

async function conversationsFound(store: TenantStore, search: string): Promise<string[]> {
  const { rows, total } = await store.conversations.list({ page: 1, limit: 50, sort: 'createdAt', search })
  expect(total).toBe(rows.length)
  return rows.map(({ _id }) => _id)
}

const nobody = { firstName: null, lastName: null, email: null, phone: null, company: null }

const people = [
  {
    _id: 'jörg',
    profile: { ...nobody, firstName: 'JÖRG', lastName: "O'Brien-Straße", email: 'j.brien@mail.example.com' },
  },
  {
    _id: 'ada',
    profile: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: null,
      phone: '+44 (20) 7946-0958',
      company: 'Engines "R" Us',
    },
  },
  {
    _id: 'li',
    profile: { ...nobody, firstName: '李', lastName: '小龍', company: '50%_off *sale* \\ 😀 co' },
  },
  { _id: 'nobody', profile: nobody },
]

export function describeSearch(open: Open): void {
  describe('search of customers', () => {
    const harness = useSharedStorage(open)

    const searches: [string, string[]][] = [
      ['lovelace', ['ada']],
      ['LOVEL', ['ada']],
      ['elac', ['ada']],
      ['jörg', ['jörg']],
      ['Jörg STRASSE', []],
      ['jörg straße', ['jörg']],
      ['ADA engines', ['ada']],
      ['ada lovelace zzz', []],
      ['  ada \t lace\n', ['ada']],
      ['ada brien', []],
      ['mail.example', ['jörg']],
      ['@mail', ['jörg']],
      ['7946', ['ada']],
      ['442079460958', ['ada']],
      ['(20)', ['ada']],
      ['7946-0958', ['ada']],
      ['79-46', ['ada']],
      ['0958 ada', ['ada']],
      ['ad', ['ada']],
      ['a', ['ada']],
      ['da', []],
      ['br', ['jörg']],
      ['rg', []],
      ['st', ['jörg']],
      ["o'", ['jörg']],
      ['lo e', ['ada']],
      ['r', ['ada']],
      ['李', ['li']],
      ['小龍', ['li']],
      ['龍', []],
      ['50%', ['li']],
      ['%_o', ['li']],
      ['*sale*', ['li']],
      ['😀', ['li']],
      ['😀 co', ['li']],
      ['"R"', ['ada']],
      ['"', ['ada']],
      ['\\', ['li']],
      ['ｌｏｖｅｌａｃｅ', ['ada']],
    ]
    test('every term must occur, in any field, case and position; short terms at the start of a word', async () => {
      const { store } = harness.newTenant()
      await add(store, 'customers', people)
      for (const [search, expected] of searches)
        expect(await customersFound(store, search), search).toEqual(expected)
    })

    test('a search of nothing but blanks and control characters filters nothing', async () => {
      const { store } = harness.newTenant()
      await add(store, 'customers', people)
      expect(await customersFound(store, ' \t\n\u0000 ')).toHaveLength(4)
    })

    test('hostile text is searched as plain text', async () => {
      const { store } = harness.newTenant()
      await add(store, 'customers', people)
      const hostile = [
        '""',
        "'",
        "''",
        '\\\\',
        '%%%',
        '___',
        '***',
        '^^^',
        'a" OR "b',
        "x' OR '1'='1",
        '") OR (1',
        'NEAR(ada engines)',
        'search_text:ada',
        'ada* OR',
        'AND',
        'OR OR OR',
        'NOT zzz',
        '{ada}',
        '$where',
        '.*',
        '(?:)+',
        '[a-z]{3}',
        '-zzz',
        '+++',
        'ada\u0000zz',
        '\u0001\u0001zz',
        '\ud800',
        '\udc00ada',
        '\uffff\uffff\uffff',
        '🧮🧮🧮',
        '\u202eada\u202e',
        'x'.repeat(100_000),
        'ab '.repeat(20_000),
        `${'"'.repeat(5_000)}`,
        Array.from({ length: 500 }, (_, i) => `t${i}`).join(' '),
      ]
      for (const search of hostile) {
        expect(await customersFound(store, search), JSON.stringify(search.slice(0, 40))).toEqual([])
      }
    })

    test('a search finds the current text of a row, not its earlier text', async () => {
      const { store } = harness.newTenant()
      await add(store, 'customers', people)
      const set = { profile: { ...nobody, firstName: 'Augusta', phone: '0123456' } }
      await store.commit({
        writes: [{ op: 'update', kind: 'customers', id: 'ada', expectVersion: 1, set }],
        events: [],
      })
      expect(await customersFound(store, 'lovelace')).toEqual([])
      expect(await customersFound(store, 'ad')).toEqual([])
      expect(await customersFound(store, '7946')).toEqual([])
      expect(await customersFound(store, 'gust 3456')).toEqual(['ada'])
    })

    test('pages and cursors of a search return every match once', async () => {
      const { store } = harness.newTenant()
      const company = (i: number) => ({ profile: { ...nobody, company: i % 3 ? 'Acme' : 'Other' } })
      await add(
        store,
        'customers',
        Array.from({ length: 30 }, (_, i) => company(i)),
      )
      for (const sort of ['-createdAt', 'lastName'] as const) {
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const page = await store.customers.list({ page: 1, limit: 7, sort, search: 'acm', cursor })
          expect(page.total).toBe(20)
          seen.push(...page.rows.map(({ _id }) => _id))
          cursor = page.nextCursor ?? undefined
        } while (cursor)
        expect(seen).toHaveLength(20)
        expect(new Set(seen).size).toBe(20)
        const second = await store.customers.list({ page: 2, limit: 7, sort, search: 'acm' })
        expect(second.rows.map(({ _id }) => _id)).toEqual(seen.slice(7, 14))
      }
    })

    test('a search with more than 10,000 matches returns every one of them, in order', async () => {
      const { store } = harness.newTenant()
      for (let i = 0; i < 21; i++) {
        const rows = Array.from({ length: 500 }, (_, j) => ({
          profile: { ...nobody, firstName: `Common ${(i * 500 + j) % 10}` },
        }))
        await add(store, 'customers', rows)
      }
      const seen = new Set<string>()
      let last = ''
      let cursor: string | undefined
      do {
        const page = await store.customers.list({
          page: 1,
          limit: 100,
          sort: 'createdAt',
          search: 'COMMON',
          cursor,
        })
        expect(page.totalIsEstimate).toBe(true)
        expect(page.total).toBeGreaterThan(10_000)
        for (const { _id, createdAt } of page.rows) {
          expect(createdAt >= last).toBe(true)
          last = createdAt
          seen.add(_id)
        }
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      expect(seen.size).toBe(10_500)
      const exact = await store.customers.list({ page: 2, limit: 10, sort: '-createdAt', search: 'common 7' })
      expect(exact).toMatchObject({ total: 1_050, totalIsEstimate: false })
      expect(exact.rows.every(({ profile }) => profile.firstName === 'Common 7')).toBe(true)
    })
  })

  describe('search of conversations', () => {
    const harness = useSharedStorage(open)

    test('a conversation matches when its subject holds all terms, or one of its messages does', async () => {
      const { store } = harness.newTenant()
      await add(store, 'conversations', [
        { _id: 'con_1', subject: 'Broken LAMP' },
        { _id: 'con_2', subject: 'Hello' },
      ])
      await add(store, 'messages', [
        { conversationId: 'con_1', content: 'It arrived on Monday' },
        { conversationId: 'con_2', content: 'My lamp\nis fine' },
        { conversationId: 'con_2', content: 'I paid on Tuesday' },
      ])
      const searches: [string, string[]][] = [
        ['lamp', ['con_1', 'con_2']],
        ['broken lamp', ['con_1']],
        ['lamp fine', ['con_2']],
        ['broken monday', []],
        ['lamp tuesday', []],
        ['pa', ['con_2']],
        ['ues', ['con_2']],
        ['%', []],
        ['" OR "', []],
      ]
      for (const [search, expected] of searches)
        expect(await conversationsFound(store, search), search).toEqual(expected)
    })

    test('a changed subject and an added message are found at once', async () => {
      const { store } = harness.newTenant()
      await add(store, 'conversations', [{ _id: 'con_1', subject: 'Before' }])
      const set = { subject: 'After' }
      await store.commit({
        writes: [{ op: 'update', kind: 'conversations', id: 'con_1', expectVersion: 1, set }],
        events: [],
      })
      await add(store, 'messages', [{ conversationId: 'con_1', content: 'ticket #4711' }])
      expect(await conversationsFound(store, 'before')).toEqual([])
      expect(await conversationsFound(store, 'after')).toEqual(['con_1'])
      expect(await conversationsFound(store, '#4711')).toEqual(['con_1'])
    })

    test('a search with thousands of matches returns every one of them, in order, also when a filter leaves few', async () => {
      const { store } = harness.newTenant()
      // Every second conversation has the words in a message; few are pending, among the oldest.
      for (let start = 0; start < 10_500; start += 500) {
        const numbers = Array.from({ length: 500 }, (_, offset) => start + offset)
        const text = (number: number) => `Common word${number % 10}`
        const conversations = numbers.map((number) => ({
          _id: `con_${number}`,
          subject: number % 2 === 0 ? text(number) : 'Hello',
          status: number % 997 === 7 ? ('pending' as const) : ('open' as const),
          createdAt: at(number),
          updatedAt: at(number),
        }))
        await add(store, 'conversations', conversations)
        const odd = numbers.filter((number) => number % 2 === 1)
        const messages = odd.map((number) => ({ conversationId: `con_${number}`, content: text(number) }))
        await add(store, 'messages', messages)
      }
      const walk = async (filter: { search: string; status?: ['pending'] }) => {
        const paging = { page: 1, limit: 100, sort: '-updatedAt' as const }
        const ids: string[] = []
        const totals: number[] = []
        let cursor: string | undefined
        do {
          const page = await store.conversations.list({ ...paging, ...filter, cursor })
          ids.push(...page.rows.map(({ _id }) => _id))
          totals.push(page.total)
          cursor = page.nextCursor ?? undefined
        } while (cursor)
        return { ids, totals: new Set(totals) }
      }
      const newestFirst = (isIn: (number: number) => boolean) =>
        Array.from({ length: 10_500 }, (_, index) => 10_499 - index)
          .filter(isIn)
          .map((number) => `con_${number}`)
      const status = ['pending'] as ['pending']
      const all = await walk({ search: 'common' })
      expect(all.ids).toEqual(newestFirst(() => true))
      expect(Math.min(...all.totals)).toBeGreaterThan(10_000)
      expect((await walk({ search: 'common', status })).ids).toEqual(newestFirst((n) => n % 997 === 7))
      expect(await walk({ search: 'common word7' })).toEqual({
        ids: newestFirst((n) => n % 10 === 7),
        totals: new Set([1_050]),
      })
      expect(await walk({ search: 'common word7', status })).toEqual({
        ids: newestFirst((n) => n % 10 === 7 && n % 997 === 7),
        totals: new Set([2]),
      })
      const page = { page: 3, limit: 10, sort: 'createdAt' as const, search: 'common' }
      const third = (await store.conversations.list(page)).rows.map(({ _id }) => _id)
      expect(third).toEqual(Array.from({ length: 10 }, (_, index) => `con_${20 + index}`))
    })

    test('a search combines with every filter and every order', async () => {
      const { store } = harness.newTenant()
      const row = {
        _id: 'con_1',
        subject: 'Lamp',
        customerId: 'cus_1',
        inboxId: 'inb_1',
        assignedTo: 'usr_1',
      }
      await add(store, 'conversations', [{ ...row, labels: ['vip'] }])
      await add(store, 'messages', [{ conversationId: 'con_1', content: 'It is broken' }])
      const filters = { customerId: 'cus_1', inboxId: 'inb_1', assignedTo: 'usr_1', label: 'VIP' } as const
      const { status, priority, channel } = (await store.conversations.find('con_1')) ?? {}
      const all = { ...filters, priority, channel, status: status && [status], updatedSince: at(-1) }
      for (const sort of conversationSorts) {
        const page = { page: 1, limit: 10, sort }
        const found = await store.conversations.list({ ...page, ...all, search: 'broken' })
        expect(
          found.rows.map(({ _id }) => _id),
          sort,
        ).toEqual(['con_1'])
        const none = { ...page, ...all, customerId: 'cus_2', search: 'broken' }
        expect((await store.conversations.list(none)).rows).toEqual([])
      }
    })
  })
}

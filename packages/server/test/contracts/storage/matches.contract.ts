import { describe, expect, test } from 'vitest'
import type { TenantStore } from '../../../src/ports/storage.ts'
import type { MatchQuery, SearchedKind } from '../../../src/storage/match-query.ts'
import { type Open, useSharedStorage } from './harness.contract.ts'
import { add, at } from './samples.contract.ts'

const nobody = { firstName: null, lastName: null, email: null, phone: null, company: null }
const generous: MatchQuery = { words: '', rule: {}, time: {}, hasFile: false, limit: 10, budgetMs: 60_000 }

async function found(store: TenantStore, kind: SearchedKind, query: Partial<MatchQuery>): Promise<string[]> {
  const { rows, isPartial } = await store.findMatches(kind, { ...generous, ...query })
  expect(isPartial).toBe(false)
  return rows.map(({ _id }) => _id)
}

const file = {
  _id: 'att_1',
  filename: 'plan.txt',
  contentType: 'text/plain',
  size: 1,
  url: '/api/v1/attachments/att_1',
} as never

/** Three conversations, the one with the latest message first: two, one, three. */
async function fill(store: TenantStore): Promise<void> {
  await add(store, 'customers', [
    { _id: 'cus_1', profile: { ...nobody, firstName: 'Grace' }, createdAt: at(1) },
    { _id: 'cus_2', profile: { ...nobody, lastName: 'Gracewell' }, createdAt: at(2) },
  ])
  const conversation = (n: number, fields: object) => ({
    _id: `con_${n}`,
    createdAt: at(n),
    updatedAt: at(n),
    ...fields,
  })
  await add(store, 'conversations', [
    conversation(1, { subject: 'Lamp', customerId: 'cus_1', labels: ['VIP'], lastMessageAt: at(20) }),
    conversation(2, { subject: 'Broken lamp', status: 'closed', assignedTo: 'usr_1', lastMessageAt: at(30) }),
    conversation(3, { subject: 'Another lamp', inboxId: 'inb_2', lastMessageAt: null }),
  ])
  await add(store, 'messages', [
    { _id: 'msg_1', conversationId: 'con_1', content: 'The bulb sparks', createdAt: at(20), attachments: [] },
    {
      _id: 'msg_2',
      conversationId: 'con_2',
      content: 'A bulb for you',
      createdAt: at(30),
      attachments: [file],
    },
    { _id: 'msg_3', conversationId: 'con_2', content: 'No lights', createdAt: at(25) },
  ])
}

export function describeMatches(open: Open): void {
  describe('matches', () => {
    const harness = useSharedStorage(open)

    test('have all words in their own text, and are the newest first', async () => {
      const { store } = harness.newTenant()
      await fill(store)
      expect(await found(store, 'customers', { words: 'grace' })).toEqual(['cus_2', 'cus_1'])
      expect(await found(store, 'customers', { words: 'gracew' })).toEqual(['cus_2'])
      expect(await found(store, 'conversations', { words: 'LAMP' })).toEqual(['con_2', 'con_1', 'con_3'])
      expect(await found(store, 'conversations', { words: 'lamp bro' })).toEqual(['con_2'])
      expect(await found(store, 'conversations', { words: 'bulb' })).toEqual([])
      expect(await found(store, 'messages', { words: 'bulb' })).toEqual(['msg_2', 'msg_1'])
      expect(await found(store, 'messages', { words: 'bulb', limit: 1 })).toEqual(['msg_2'])
      expect(await found(store, 'messages', { words: 'bulb lights' })).toEqual([])
      expect(await found(store, 'messages', { words: '' })).toEqual([])
      expect(await found(store, 'customers', { words: ' ' })).toEqual([])
    })

    test('of conversations and messages meet a rule about the conversation', async () => {
      const { store } = harness.newTenant()
      await fill(store)
      const rules: [MatchQuery['rule'], string[], string[]][] = [
        [{ statuses: ['closed'] }, ['con_2'], ['msg_2']],
        [{ statuses: ['closed', 'snoozed'], assignedTo: [null] }, [], []],
        [{ assignedTo: [null] }, ['con_1', 'con_3'], ['msg_1']],
        [{ assignedTo: [null, 'usr_1'] }, ['con_2', 'con_1', 'con_3'], ['msg_2', 'msg_1']],
        [{ inboxIds: ['inb_2'] }, ['con_3'], []],
        [{ inboxIds: [] }, [], []],
        [{ labels: ['vip', 'nothing'] }, ['con_1'], ['msg_1']],
        [{ customerIds: ['cus_1'] }, ['con_1'], ['msg_1']],
        [{ customerIds: ['cus_2'] }, [], []],
      ]
      for (const [rule, conversations, messages] of rules) {
        expect([rule, await found(store, 'conversations', { words: 'lamp', rule })]).toEqual([
          rule,
          conversations,
        ])
        expect([rule, await found(store, 'conversations', { rule })]).toEqual([rule, conversations])
        expect([rule, await found(store, 'messages', { words: 'bulb', rule })]).toEqual([rule, messages])
      }
    })

    test('are of a time, and have a file', async () => {
      const { store } = harness.newTenant()
      await fill(store)
      expect(await found(store, 'conversations', { words: 'lamp', time: { since: at(20) } })).toEqual([
        'con_2',
        'con_1',
      ])
      expect(await found(store, 'conversations', { time: { since: at(3), before: at(30) } })).toEqual([
        'con_1',
        'con_3',
      ])
      expect(await found(store, 'messages', { words: 'bulb', time: { before: at(30) } })).toEqual(['msg_1'])
      expect(await found(store, 'messages', { words: 'bulb', hasFile: true })).toEqual(['msg_2'])
    })

    test('without time are none, and say that they are partial', async () => {
      const { store } = harness.newTenant()
      await fill(store)
      for (const kind of ['customers', 'conversations', 'messages'] as const) {
        const query = {
          ...generous,
          words: kind === 'customers' ? 'grace' : kind === 'messages' ? 'bulb' : 'lamp',
        }
        const { rows, isPartial } = await store.findMatches(kind, { ...query, budgetMs: 0 })
        expect([kind, rows.length <= 1, isPartial]).toEqual([kind, true, true])
      }
    })

    test('are the newest of thousands, also beside a rule that few meet', async () => {
      const { store } = harness.newTenant()
      for (let start = 0; start < 6_000; start += 500) {
        const numbers = Array.from({ length: 500 }, (_, offset) => start + offset)
        await add(
          store,
          'conversations',
          numbers.map((n) => ({
            _id: `con_${n}`,
            subject: `Common ${n}`,
            status: n % 997 === 7 ? ('pending' as const) : ('open' as const),
            createdAt: at(n),
            updatedAt: at(n),
            lastMessageAt: at(n),
          })),
        )
        const messages = numbers.map((n) => ({
          _id: `msg_${n}`,
          conversationId: `con_${n}`,
          content: n % 2 === 0 ? 'Common word' : 'Common place',
          createdAt: at(n),
        }))
        await add(store, 'messages', messages)
      }
      const newest = (kind: string, ...numbers: number[]) => numbers.map((n) => `${kind}_${n}`)
      const limit = 3
      expect(await found(store, 'messages', { words: 'common', limit })).toEqual(
        newest('msg', 5999, 5998, 5997),
      )
      expect(await found(store, 'messages', { words: 'common word', limit })).toEqual(
        newest('msg', 5998, 5996, 5994),
      )
      expect(await found(store, 'conversations', { words: 'common', limit })).toEqual(
        newest('con', 5999, 5998, 5997),
      )
      const rule = { statuses: ['pending'] }
      expect(await found(store, 'messages', { words: 'common', limit, rule })).toEqual(
        newest('msg', 5989, 4992, 3995),
      )
      expect(await found(store, 'conversations', { words: 'common', limit, rule })).toEqual(
        newest('con', 5989, 4992, 3995),
      )
      expect(await found(store, 'conversations', { limit, rule })).toEqual(newest('con', 5989, 4992, 3995))
    })

    test('are none of what is being erased', async () => {
      const { store } = harness.newTenant()
      await fill(store)
      await store.commit({
        writes: [{ op: 'erase', kind: 'conversations', id: 'con_2', at: at(40) }],
        events: [],
      })
      expect(await found(store, 'messages', { words: 'bulb' })).toEqual(['msg_1'])
      expect(await found(store, 'conversations', { words: 'lamp' })).toEqual(['con_1', 'con_3'])
      await store.commit({
        writes: [{ op: 'erase', kind: 'customers', id: 'cus_1', at: at(40) }],
        events: [],
      })
      expect(await found(store, 'conversations', { rule: { customerIds: ['cus_1'] } })).toEqual([])
      expect(await found(store, 'conversations', { words: 'lamp' })).toEqual(['con_3'])
      expect(await found(store, 'messages', { words: 'bulb' })).toEqual([])
    })
  })
}

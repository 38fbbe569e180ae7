import { expect, it } from 'vitest'
import type { TenantId } from '../storage/records.ts'
import { PresenceList, presenceKeptMs } from './presence-list.ts'

const [tenant, other] = ['ten_1', 'ten_2'] as [TenantId, TenantId]

function newList() {
  const changed: string[] = []
  const list = new PresenceList((tenantId, id) => changed.push(`${tenantId} ${id}`))
  const set = (
    sessionId: string,
    conversationId: string,
    state: 'viewing' | 'replying' | 'none',
    nowMs = 0,
  ) => list.set(tenant, { sessionId, userId: `user of ${sessionId}`, conversationId, state }, nowMs)
  const at = (id: string) => list.at(tenant, id).map(({ userId, state }) => `${userId}: ${state}`)
  return { list, changed, set, at }
}

it('shows a user once, as replying in any window, since the first of them', () => {
  const { list } = newList()
  const entry = { userId: 'usr_1', conversationId: 'con_1' }
  list.set(tenant, { ...entry, sessionId: 'a', state: 'replying' }, 1_000)
  list.set(tenant, { ...entry, sessionId: 'b', state: 'viewing' }, 2_000)
  expect(list.at(tenant, 'con_1')).toEqual([
    { userId: 'usr_1', state: 'replying', since: '1970-01-01T00:00:01.000Z' },
  ])
  expect(list.at(other, 'con_1')).toEqual([])
})

it('keeps the time at which a user came when the state changes, and not when the user comes again', () => {
  const { list, set } = newList()
  const since = () => list.at(tenant, 'con_1')[0]?.since
  set('a', 'con_1', 'viewing', 1_000)
  set('a', 'con_1', 'replying', 2_000)
  expect(since()).toBe('1970-01-01T00:00:01.000Z')
  set('a', 'con_1', 'none', 3_000)
  set('a', 'con_1', 'viewing', 4_000)
  expect(since()).toBe('1970-01-01T00:00:04.000Z')
})

it('forgets a session 15 seconds after its last request or renewal', () => {
  const { list, set, at, changed } = newList()
  const entries = set('a', 'con_1', 'viewing')
  list.expire(presenceKeptMs - 1)
  expect(at('con_1')).toEqual(['user of a: viewing'])
  list.apply(tenant, entries, presenceKeptMs - 1)
  list.expire(2 * presenceKeptMs - 2)
  expect(at('con_1')).toHaveLength(1)
  list.expire(2 * presenceKeptMs - 1)
  expect(at('con_1')).toEqual([])
  expect(changed).toEqual(['ten_1 con_1', 'ten_1 con_1'])
  list.expire(3 * presenceKeptMs)
  expect(list.conversations(tenant)).toEqual([])
})

it('keeps ten conversations of a session, those that it named last', () => {
  const { list, set, at } = newList()
  for (let i = 1; i <= 10; i++) set('a', `con_${i}`, 'viewing', i)
  const reported = set('a', 'con_11', 'viewing', 11)
  expect(reported.map(({ conversationId, state }) => `${conversationId}: ${state}`)).toEqual([
    'con_1: none',
    'con_11: viewing',
  ])
  expect(at('con_1')).toEqual([])
  expect(list.ofSession(tenant, 'a')).toHaveLength(10)
})

it('takes no late report of another process for a return', () => {
  const { list, set, at } = newList()
  const old = set('a', 'con_1', 'viewing', 1_000)
  set('a', 'con_1', 'none', 2_000)
  list.apply(tenant, old, 3_000)
  expect(at('con_1')).toEqual([])
})

it('reports a change once, and a renewal not at all', () => {
  const { list, set, changed } = newList()
  const entries = set('a', 'con_1', 'viewing')
  set('a', 'con_1', 'viewing', 1)
  list.apply(tenant, entries, 2)
  expect(changed).toEqual(['ten_1 con_1'])
})

it('ends with the session everywhere, and leaves other sessions', () => {
  const { list, set, at } = newList()
  set('a', 'con_1', 'viewing')
  set('a', 'con_2', 'replying')
  set('b', 'con_1', 'viewing')
  const ended = list.endSession(tenant, 'a', 1)
  expect(ended.map(({ state }) => state)).toEqual(['none', 'none'])
  expect([at('con_1'), at('con_2')]).toEqual([['user of b: viewing'], []])
})

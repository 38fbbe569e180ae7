import { expect, test } from 'vitest'
import { chooseNext, chooseVictim } from './places.ts'

const heldMsMin = 60_000
const heldOf = (...held: [key: string, tenantId: string, startedAtMs: number][]) =>
  new Map(held.map(([key, tenantId, startedAtMs]) => [key, { tenantId, startedAtMs }]))
const waiter = (key: string, tenantId: string) => ({ key, tenantId })
const keysOf = (waiting: readonly { key: string }[]) => waiting.map(({ key }) => key)

test('a tenant with many places does not come before one with none', () => {
  const waiting = [waiter('a1', 'a'), waiter('a2', 'a'), waiter('a3', 'a'), waiter('b1', 'b')]
  const none = { held: heldOf(), servedAtMs: new Map() }
  expect(keysOf(chooseNext(waiting, none))).toEqual(['a1', 'b1', 'a2', 'a3'])
  const busy = { ...none, held: heldOf(['a0', 'a', 0]) }
  expect(keysOf(chooseNext(waiting, busy))[0]).toBe('b1')
})

test('of those of one tenant the one that waits for longest is next', () => {
  const servedAtMs = new Map([
    ['a1', 30],
    ['a2', 10],
  ])
  const waiting = [waiter('a1', 'a'), waiter('a2', 'a'), waiter('a3', 'a')]
  expect(keysOf(chooseNext(waiting, { held: heldOf(), servedAtMs }))).toEqual(['a3', 'a2', 'a1'])
})

test('a place is given up after its time alone, and the oldest of the tenant with the most places first', () => {
  const held = heldOf(['a1', 'a', 5], ['a2', 'a', 0], ['b1', 'b', 0])
  const victim = (tenantId: string, nowMs: number) => chooseVictim(held, { tenantId, nowMs, heldMsMin })
  expect(victim('c', heldMsMin - 1)).toBeUndefined()
  expect(victim('c', heldMsMin)).toBe('a2')
  expect(victim('a', heldMsMin)).toBe('a2')
  const alone = { tenantId: 'b', nowMs: heldMsMin, heldMsMin }
  expect(chooseVictim(heldOf(['b1', 'b', 0]), alone)).toBe('b1')
})

test('a tenant with more places never takes one from a tenant with fewer', () => {
  const held = heldOf(['a1', 'a', heldMsMin], ['a2', 'a', heldMsMin], ['b1', 'b', 0])
  expect(chooseVictim(held, { tenantId: 'a', nowMs: heldMsMin, heldMsMin })).toBeUndefined()
})

test('a tenant with several places gives one up at once where that is asked for, and keeps its last one for its time', () => {
  const choice = { tenantId: 'b', nowMs: 10, heldMsMin, surplusMsMin: 0 }
  expect(chooseVictim(heldOf(['a1', 'a', 5], ['a2', 'a', 9]), choice)).toBe('a1')
  expect(chooseVictim(heldOf(['a1', 'a', 5]), choice)).toBeUndefined()
})

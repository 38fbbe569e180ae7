import { expect, test } from 'vitest'
import type { TenantId } from '../../../storage/records.ts'
import { chooseNext, chooseVictim, heldMsMin } from './fair-mailboxes.ts'

const readersOf = (...held: [key: string, tenantId: string, startedAtMs: number][]) =>
  new Map(held.map(([key, tenantId, startedAtMs]) => [key, { tenantId: tenantId as TenantId, startedAtMs }]))
const mailbox = (key: string, tenantId: string) => ({ key, tenantId })
const keysOf = (mailboxes: readonly { key: string }[]) => mailboxes.map(({ key }) => key)

test('mailboxes of a tenant with many do not come before the first one of another tenant', () => {
  const waiting = [mailbox('a1', 'a'), mailbox('a2', 'a'), mailbox('a3', 'a'), mailbox('b1', 'b')]
  const none = { readers: readersOf(), servedAtMs: new Map() }
  expect(keysOf(chooseNext(waiting, none))).toEqual(['a1', 'b1', 'a2', 'a3'])
  const busy = { ...none, readers: readersOf(['a0', 'a', 0]) }
  expect(keysOf(chooseNext(waiting, busy))[0]).toBe('b1')
})

test('of the mailboxes of one tenant the one that waits for longest is next', () => {
  const servedAtMs = new Map([
    ['a1', 30],
    ['a2', 10],
  ])
  const waiting = [mailbox('a1', 'a'), mailbox('a2', 'a'), mailbox('a3', 'a')]
  expect(keysOf(chooseNext(waiting, { readers: readersOf(), servedAtMs }))).toEqual(['a3', 'a2', 'a1'])
})

test('a connection makes way after its time alone, and the oldest of the tenant with the most connections first', () => {
  const readers = readersOf(['a1', 'a', 5], ['a2', 'a', 0], ['b1', 'b', 0])
  expect(chooseVictim(readers, 'c', heldMsMin - 1)).toBeUndefined()
  expect(chooseVictim(readers, 'c', heldMsMin)).toBe('a2')
  expect(chooseVictim(readers, 'a', heldMsMin)).toBe('a2')
  expect(chooseVictim(readersOf(['b1', 'b', 0]), 'b', heldMsMin)).toBe('b1')
})

test('a tenant with more connections never takes one from a tenant with fewer', () => {
  const readers = readersOf(['a1', 'a', heldMsMin], ['a2', 'a', heldMsMin], ['b1', 'b', 0])
  expect(chooseVictim(readers, 'a', heldMsMin)).toBeUndefined()
})

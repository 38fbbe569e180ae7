import { afterEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../test/support/silent-log.ts'
import type { Lease } from '../ports/system-store.ts'
import { StorageUnavailable } from '../storage/errors.ts'
import type { TenantId } from '../storage/records.ts'
import { createEventSequencer, type EventSequencer } from './event-sequencer.ts'

const tenantId = 'ten_1' as TenantId
const started: EventSequencer[] = []
afterEach(() => Promise.all(started.splice(0).map((sequencer) => sequencer.stop())))
afterEach(() => void vi.useRealTimers())

/** Events that wait for their positions, and the lease of one installation. */
function newInstallation() {
  let waiting = 0
  let failures = 0
  let calls = 0
  let heldBy: string | undefined
  const given: { holder: string; count: number }[] = []
  const changed = new EventTarget()
  const until = async (isSo: () => boolean) => {
    while (!isSo())
      await new Promise((resolve) => changed.addEventListener('change', resolve, { once: true }))
  }
  const start = (holder: string) => {
    const sequencer = createEventSequencer({
      system: {
        takeLease: async (claim: Lease) => {
          heldBy ??= claim.holder
          changed.dispatchEvent(new Event('change'))
          return heldBy === claim.holder
        },
        releaseLease: async (lease: Lease) => {
          if (heldBy === lease.holder) heldBy = undefined
        },
        sequenceEvents: async (limit) => {
          calls += 1
          if (failures-- > 0) throw new StorageUnavailable('away')
          const count = Math.min(waiting, limit)
          waiting -= count
          return { count, tenantIds: count > 0 ? [tenantId] : [] }
        },
      },
      clock: { nowMs: () => Date.now() },
      holder,
      log: silentLog,
      onSequenced: (tenantIds) => {
        given.push({ holder, count: tenantIds.length })
        changed.dispatchEvent(new Event('change'))
      },
    })
    started.push(sequencer)
    sequencer.start()
    return sequencer
  }
  return {
    start,
    given,
    until,
    holder: () => heldBy,
    commit: (count: number) => {
      waiting += count
    },
    fail: (times: number) => {
      failures = times
    },
    waiting: () => waiting,
    calls: () => calls,
  }
}

test('gives positions immediately when it is woken, until no event waits', async () => {
  // No timer fires here: only the call can have caused it.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { start, commit, until, given, holder, waiting } = newInstallation()
  const sequencer = start('a')
  await until(() => holder() === 'a')
  await new Promise((resolve) => setImmediate(resolve))
  commit(1200)
  expect(sequencer.wake()).toBe(true)
  await until(() => waiting() === 0)
  expect(given).toHaveLength(3)
})

test('asks once for the events of a notice, and gathers those that follow it soon', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
  const { start, commit, until, given, holder, calls, waiting } = newInstallation()
  const sequencer = start('a')
  await until(() => holder() === 'a')
  await nextTurn()
  const before = calls()
  commit(3)
  sequencer.wake()
  await nextTurn()
  expect(calls() - before).toBe(1)
  expect(waiting()).toBe(0)
  for (let more = 0; more < 5; more++) {
    commit(1)
    sequencer.wake()
    await nextTurn()
  }
  expect(waiting()).toBe(5)
  await vi.advanceTimersByTimeAsync(10)
  expect(waiting()).toBe(0)
  expect(calls() - before).toBe(2)
  expect(given).toHaveLength(2)
})

test('finds events without any notice of them', async () => {
  const { start, commit, until, given } = newInstallation()
  start('a')
  commit(1)
  await until(() => given.length === 1)
  commit(1)
  await until(() => given.length === 2)
})

test('runs in one process, and in the next one when that stops', async () => {
  const { start, commit, until, given, holder } = newInstallation()
  const first = start('a')
  await until(() => holder() === 'a')
  const second = start('b')
  expect(second.wake()).toBe(false)
  await first.stop()
  expect(first.wake()).toBe(false)
  commit(1)
  await until(() => given.length === 1)
  expect(given).toEqual([{ holder: 'b', count: 1 }])
})

test('continues by itself after the storage was unavailable', async () => {
  const { start, commit, until, given, fail } = newInstallation()
  fail(2)
  commit(1)
  start('a')
  await until(() => given.length === 1)
})

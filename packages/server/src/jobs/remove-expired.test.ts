import { expect, test } from 'vitest'
import type { Lease, RetentionBounds } from '../ports/system-store.ts'
import { createRemoveExpired } from './remove-expired.ts'

function open(rows: number, msPerRow = 0) {
  let nowMs = Date.parse('2026-11-21T00:00:00.000Z')
  const calls: { now: string; logsBefore: string; limit: number }[] = []
  const rests: number[] = []
  let left = rows
  let elapsedMs = 0
  let heldBy: string | undefined
  const system = {
    removeExpired: async (keep: RetentionBounds) => {
      calls.push(keep)
      const removed = Math.min(left, keep.limit)
      left -= removed
      elapsedMs += removed * msPerRow
      return removed
    },
    takeLease: async ({ holder }: Lease) => {
      heldBy ??= holder
      return heldBy === holder
    },
    releaseLease: async ({ holder }: Lease) => {
      if (heldBy === holder) heldBy = undefined
    },
  }
  const newJob = (holder: string) =>
    createRemoveExpired({
      system,
      clock: { nowMs: () => nowMs },
      holder,
      elapsedMs: () => elapsedMs,
      rest: async (ms) => void rests.push(ms),
    })
  const pass = (ms: number) => (nowMs += ms)
  return { job: newJob('first'), newJob, calls, rests, nowMs: () => nowMs, pass }
}

test('removes logs that are older than 30 days, in batches until none is left', async () => {
  const { job, calls } = open(1200)
  await job.runDue()
  expect(calls).toHaveLength(4)
  expect(calls[0]).toMatchObject({ now: '2026-11-21T00:00:00.000Z', logsBefore: '2026-10-22T00:00:00.000Z' })
})

test('removes expired rows once a minute, however often the job is polled', async () => {
  const { job, calls, nowMs, pass } = open(0)
  expect(await job.runDue()).toBe(nowMs() + 60_000)
  pass(59_999)
  await job.runDue()
  expect(calls).toHaveLength(1)
  pass(1)
  await job.runDue()
  expect(calls).toHaveLength(2)
})

test('one of two processes removes expired rows, until it stops', async () => {
  const { job, newJob, calls, nowMs, pass } = open(0)
  const other = newJob('second')
  await job.runDue()
  expect(await other.runDue()).toBe(nowMs() + 60_000)
  expect(calls).toHaveLength(1)
  pass(60_000)
  await other.stop?.()
  const third = newJob('third')
  await third.runDue()
  expect(calls).toHaveLength(1)
  await job.stop?.()
  pass(60_000)
  await third.runDue()
  expect(calls).toHaveLength(2)
})

test('removes a large backlog over several polls', async () => {
  const { job, calls, nowMs } = open(1_000_000)
  expect(await job.runDue()).toBe(nowMs() + 100)
  expect(calls).toHaveLength(50)
})

test('rests after each batch for as long as it took', async () => {
  const { job, rests } = open(1200, 0.1)
  await job.runDue()
  expect(rests.map(Math.round)).toEqual([50, 50, 20])
})

test('begins no further batch once it is stopped', async () => {
  const { job, calls, rests } = open(1_000_000)
  const running = job.runDue()
  await job.stop?.()
  await running
  expect(calls.length).toBeLessThanOrEqual(1)
  expect(rests.length).toBeLessThanOrEqual(1)
})

test('continues when the clock is set back', async () => {
  const { job, calls, pass } = open(0)
  await job.runDue()
  pass(-86_400_000)
  await job.runDue()
  expect(calls).toHaveLength(2)
})

test('stops although the lease cannot be released: the lease expires by itself', async () => {
  const system = {
    removeExpired: async () => 0,
    takeLease: async () => true,
    releaseLease: () => Promise.reject(new Error('the storage is away')),
  }
  const job = createRemoveExpired({ system, clock: { nowMs: () => 1_800_000_000_000 }, holder: 'first' })
  await job.runDue()
  await job.stop?.()
})

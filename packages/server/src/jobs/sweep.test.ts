import { expect, test } from 'vitest'
import type { Lease } from '../ports/storage.ts'
import { createSweep } from './sweep.ts'

function open(rows: number) {
  let nowMs = Date.parse('2026-11-21T00:00:00.000Z')
  const calls: { now: string; logsBefore: string; limit: number }[] = []
  let left = rows
  let heldBy: string | undefined
  const system = {
    removeExpired: async (keep: { now: string; logsBefore: string; limit: number }) => {
      calls.push(keep)
      const removed = Math.min(left, keep.limit)
      left -= removed
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
  const newStep = (holder: string) => createSweep({ system, clock: { nowMs: () => nowMs }, holder })
  return { step: newStep('first'), newStep, calls, nowMs: () => nowMs, pass: (ms: number) => (nowMs += ms) }
}

test('removes what is older than 30 days, in batches until nothing is left', async () => {
  const { step, calls } = open(1200)
  await step.runDue()
  expect(calls).toHaveLength(3)
  expect(calls[0]).toMatchObject({ now: '2026-11-21T00:00:00.000Z', logsBefore: '2026-10-22T00:00:00.000Z' })
})

test('looks once a minute, however often it is asked', async () => {
  const { step, calls, nowMs, pass } = open(0)
  expect(await step.runDue()).toBe(nowMs() + 60_000)
  pass(59_999)
  await step.runDue()
  expect(calls).toHaveLength(1)
  pass(1)
  await step.runDue()
  expect(calls).toHaveLength(2)
})

test('of two processes one removes, until it stops', async () => {
  const { step, newStep, calls, nowMs, pass } = open(0)
  const other = newStep('second')
  await step.runDue()
  expect(await other.runDue()).toBe(nowMs() + 60_000)
  expect(calls).toHaveLength(1)
  pass(60_000)
  await other.stop?.()
  await other.runDue()
  expect(calls).toHaveLength(1)
  await step.stop?.()
  pass(60_000)
  await other.runDue()
  expect(calls).toHaveLength(2)
})

test('removes a large backlog over several looks', async () => {
  const { step, calls, nowMs } = open(1_000_000)
  expect(await step.runDue()).toBe(nowMs() + 1000)
  expect(calls).toHaveLength(20)
})

test('goes on when the clock is set back', async () => {
  const { step, calls, pass } = open(0)
  await step.runDue()
  pass(-86_400_000)
  await step.runDue()
  expect(calls).toHaveLength(2)
})

test('stops although the lease cannot be released: it ends by itself', async () => {
  const system = {
    removeExpired: async () => 0,
    takeLease: async () => true,
    releaseLease: () => Promise.reject(new Error('the storage is away')),
  }
  const step = createSweep({ system, clock: { nowMs: () => 1_800_000_000_000 }, holder: 'first' })
  await step.runDue()
  await step.stop?.()
})

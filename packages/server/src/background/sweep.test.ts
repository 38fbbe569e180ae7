import { expect, test } from 'vitest'
import { createSweep } from './sweep.ts'

function open(rows: number) {
  let nowMs = Date.parse('2026-11-21T00:00:00.000Z')
  const calls: { now: string; logsBefore: string; limit: number }[] = []
  let left = rows
  const removeExpired = async (keep: { now: string; logsBefore: string; limit: number }) => {
    calls.push(keep)
    const removed = Math.min(left, keep.limit)
    left -= removed
    return removed
  }
  const step = createSweep({ system: { removeExpired }, clock: { nowMs: () => nowMs } })
  return { step, calls, nowMs: () => nowMs, pass: (ms: number) => (nowMs += ms) }
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

import { expect, test } from 'vitest'
import { replanAfterSetback } from './replan-after-setback.ts'

function open(rows = 0) {
  const calls: string[] = []
  let left = rows
  let [wallMs, steadyMs] = [Date.parse('2026-11-21T12:00:00.000Z'), 0]
  const system = {
    replanAttempts: async ({ limit }: { limit: number }) => {
      calls.push('replan')
      const found = Math.min(left, limit)
      left -= found
      return found
    },
  }
  const inner = { runDue: async () => calls.push('look') }
  const step = replanAfterSetback(inner, { system, clock: { nowMs: () => wallMs }, steadyMs: () => steadyMs })
  const pass = (ms: number, setMs = 0) => {
    steadyMs += ms
    wallMs += ms + setMs
  }
  return { step, calls, pass }
}

test('looks once at the start, for the clock may have been set back while nothing ran', async () => {
  const { step, calls, pass } = open()
  await step.runDue()
  pass(1000)
  await step.runDue()
  expect(calls).toEqual(['replan', 'look', 'look'])
})

test('plans anew before the next look when the clock was set back, until nothing is left', async () => {
  const { step, calls, pass } = open()
  await step.runDue()
  calls.length = 0
  pass(1000, -3_600_000)
  await step.runDue()
  expect(calls).toEqual(['replan', 'look'])
  const many = open(1200)
  await many.step.runDue()
  expect(many.calls).toEqual(['replan', 'replan', 'replan', 'look'])
})

test('a clock that is set forward, or corrected by a little, changes nothing', async () => {
  const { step, calls, pass } = open()
  await step.runDue()
  calls.length = 0
  pass(1000, 3_600_000)
  await step.runDue()
  pass(1000, -400)
  await step.runDue()
  expect(calls).toEqual(['look', 'look'])
})

test('tries again when the storage was away', async () => {
  const calls: string[] = []
  const system = {
    replanAttempts: async () => {
      calls.push('replan')
      if (calls.length === 1) throw new Error('away')
      return 0
    },
  }
  const step = replanAfterSetback({ runDue: async () => null }, { system, clock: { nowMs: Date.now } })
  await expect(step.runDue()).rejects.toThrow('away')
  await step.runDue()
  expect(calls).toEqual(['replan', 'replan'])
})

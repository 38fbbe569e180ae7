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
  const inner = { runDue: async () => calls.push('poll') }
  const job = replanAfterSetback(inner, { system, clock: { nowMs: () => wallMs }, steadyMs: () => steadyMs })
  const pass = (ms: number, setMs = 0) => {
    steadyMs += ms
    wallMs += ms + setMs
  }
  return { job, calls, pass }
}

test('replans once at the start, because the clock may have been set back while nothing ran', async () => {
  const { job, calls, pass } = open()
  await job.runDue()
  pass(1000)
  await job.runDue()
  expect(calls).toEqual(['replan', 'poll', 'poll'])
})

test('replans before the next poll when the clock was set back, until nothing is left', async () => {
  const { job, calls, pass } = open()
  await job.runDue()
  calls.length = 0
  pass(1000, -3_600_000)
  await job.runDue()
  expect(calls).toEqual(['replan', 'poll'])
  const many = open(1200)
  await many.job.runDue()
  expect(many.calls).toEqual(['replan', 'replan', 'replan', 'poll'])
})

test('a clock that is set forward, or corrected by a little, changes nothing', async () => {
  const { job, calls, pass } = open()
  await job.runDue()
  calls.length = 0
  pass(1000, 3_600_000)
  await job.runDue()
  pass(1000, -400)
  await job.runDue()
  expect(calls).toEqual(['poll', 'poll'])
})

test('replans again when the storage was unavailable', async () => {
  const calls: string[] = []
  const system = {
    replanAttempts: async () => {
      calls.push('replan')
      if (calls.length === 1) throw new Error('away')
      return 0
    },
  }
  const job = replanAfterSetback({ runDue: async () => null }, { system, clock: { nowMs: Date.now } })
  await expect(job.runDue()).rejects.toThrow('away')
  await job.runDue()
  expect(calls).toEqual(['replan', 'replan'])
})

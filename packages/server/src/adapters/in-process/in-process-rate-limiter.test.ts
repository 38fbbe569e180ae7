import { expect, it } from 'vitest'
import { describeRateLimiterContract } from '../../../test/contracts/rate-limiter.contract.ts'
import { attemptRule } from '../../shared/limit-rules.ts'
import { Cells } from './cells.ts'
import { createInProcessRateLimiter } from './in-process-rate-limiter.ts'

function openWithClock() {
  let nowMs = Date.UTC(2026, 10, 21)
  const limiter = createInProcessRateLimiter({ nowMs: () => nowMs })
  const pass = async (ms: number) => {
    nowMs += ms
  }
  return { limiter, pass }
}

describeRateLimiterContract('The in-process rate limiter', async () => openWithClock())

const counters = [{ id: 'who', rule: attemptRule }]
const limit = { name: 'key', cell: 'key:1', requests: 1, windowMs: 60_000 }

it('refuses until the last millisecond before the end that it returned, and not at that end', async () => {
  const { limiter, pass } = openWithClock()
  await limiter.take([limit])
  await pass(59_999)
  expect(await limiter.take([limit])).toMatchObject({ isRefused: true, resetInMs: 1 })
  await pass(1)
  expect(await limiter.take([limit])).toMatchObject({ isRefused: false, remaining: 0 })
})

it('locks no caller out for hours when the clock is set back', async () => {
  const { limiter, pass } = openWithClock()
  await limiter.take([limit])
  for (let i = 0; i < attemptRule.freeFailures; i++) await limiter.beginAttempt(counters)
  expect(await limiter.beginAttempt(counters)).toBeDefined()
  await pass(-3_600_000)
  expect(await limiter.take([limit])).toMatchObject({ isRefused: false, resetInMs: 60_000 })
  expect(await limiter.beginAttempt(counters)).toBeUndefined()
})

it('forgets failed attempts a quarter of an hour after the last wait', async () => {
  const { limiter, pass } = openWithClock()
  for (let i = 0; i < attemptRule.freeFailures; i++) await limiter.beginAttempt(counters)
  await pass(attemptRule.firstWaitMs + attemptRule.keepMs)
  for (let i = 0; i < attemptRule.freeFailures; i++)
    expect(await limiter.beginAttempt(counters)).toBeUndefined()
})

it('a flood of addresses evicts no counter of a key', async () => {
  const { limiter } = openWithClock()
  await limiter.take([limit])
  for (let i = 0; i < 60_000; i++) await limiter.take([{ ...limit, name: 'address', cell: `address:${i}` }])
  expect(await limiter.take([limit])).toMatchObject({ isRefused: true })
})

it('holds no more cells than its limit, and removes expired ones as new ones come', () => {
  const cells = new Cells<{ endsAtMs: number }>(1000)
  for (let i = 0; i < 5000; i++) cells.set(`${i}`, { endsAtMs: 10 }, 0)
  expect(cells.size).toBe(1000)
  expect(cells.get('4999')).toBeDefined()
  for (let i = 0; i < 1000; i++) cells.set(`later ${i}`, { endsAtMs: 20 }, 10)
  for (let i = 0; i < 200; i++) cells.set(`last ${i}`, { endsAtMs: 30 }, 20)
  expect(cells.size).toBeLessThan(1000)
})

import { expect, it } from 'vitest'
import { retryDelayMs } from './retry-schedule.ts'

it('waits 2, 4, 8, 16 s after each failed attempt, then no more [delivery.retries]', () => {
  const policy = { maxRetries: 4, backoffStrategy: 'exponential' } as const
  expect([1, 2, 3, 4, 5].map((attempt) => retryDelayMs(policy, attempt))).toEqual([
    2000,
    4000,
    8000,
    16_000,
    null,
  ])
})

it('waits 5, 10, 15 s with the linear strategy [delivery.retries]', () => {
  const policy = { maxRetries: 3, backoffStrategy: 'linear' } as const
  expect([1, 2, 3, 4].map((attempt) => retryDelayMs(policy, attempt))).toEqual([5000, 10_000, 15_000, null])
})

it('never retries with maxRetries 0 [delivery.retries]', () => {
  expect(retryDelayMs({ maxRetries: 0, backoffStrategy: 'exponential' }, 1)).toBeNull()
})

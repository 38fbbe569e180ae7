import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UseEstimate } from './use-estimate.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An estimate whose counts end when the test says so, each with a number of rows. */
function newEstimate() {
  const counts: ((rows: number) => void)[] = []
  const estimate = new UseEstimate(() => new Promise((resolve) => counts.push(resolve)))
  const count = async (rows: number) => {
    const counted = estimate.countAnew()
    await vi.advanceTimersByTimeAsync(1_000)
    counts.at(-1)?.(rows)
    await counted
  }
  return { estimate, counts, count }
}

test('many writes that ask for a count share one, and the next one begins a second after its end', async () => {
  const { estimate, counts } = newEstimate()
  const first = [estimate.countAnew(), estimate.countAnew()]
  await vi.advanceTimersByTimeAsync(0)
  expect(counts).toHaveLength(1)
  const second = [estimate.countAnew(), estimate.countAnew()]
  await vi.advanceTimersByTimeAsync(5_000)
  expect(counts).toHaveLength(1)
  counts[0]?.(3)
  await Promise.all(first)
  expect(estimate.used).toBe(3)
  await vi.advanceTimersByTimeAsync(999)
  expect(counts).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(counts).toHaveLength(2)
  counts[1]?.(4)
  await Promise.all(second)
  expect(estimate.used).toBe(4)
})

test('a write that is admitted before or during a count is part of the estimate after it', async () => {
  const { estimate, counts, count } = newEstimate()
  await count(10)
  const before = estimate.reserve(1)
  const counted = estimate.countAnew()
  await vi.advanceTimersByTimeAsync(1_000)
  const during = estimate.reserve(2)
  expect(estimate.used).toBe(13)
  counts.at(-1)?.(10)
  await counted
  expect(estimate.used).toBe(13)
  before.end(true)
  during.end(true)
  expect(estimate.used).toBe(13)
  await count(13)
  expect(estimate.used).toBe(13)
})

test('an amount whose commit failed is given back, and a deleted row lowers the estimate', async () => {
  const { estimate, count } = newEstimate()
  await count(10)
  estimate.reserve(5).end(false)
  expect(estimate.used).toBe(10)
  estimate.reserve(1).end(true)
  estimate.lower(2)
  expect(estimate.used).toBe(9)
  estimate.lower(100)
  expect(estimate.used).toBe(0)
})

test('near the limit a count is repeated after a minute, below half of it after an hour', async () => {
  const { estimate, counts, count } = newEstimate()
  await count(60)
  await vi.advanceTimersByTimeAsync(60_001)
  estimate.refresh(1_000)
  await vi.advanceTimersByTimeAsync(0)
  expect(counts).toHaveLength(1)
  estimate.refresh(100)
  await vi.advanceTimersByTimeAsync(0)
  expect(counts).toHaveLength(2)
  counts[1]?.(60)
  await vi.advanceTimersByTimeAsync(60 * 60_000 + 1)
  estimate.refresh(1_000)
  await vi.advanceTimersByTimeAsync(0)
  expect(counts).toHaveLength(3)
})

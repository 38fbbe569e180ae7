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

test('a commit during a count is part of the estimate after it, until the next count', async () => {
  const { estimate, counts, count } = newEstimate()
  await count(10)
  estimate.add(1)
  const counted = estimate.countAnew()
  await vi.advanceTimersByTimeAsync(1_000)
  estimate.add(2)
  expect(estimate.used).toBe(13)
  counts.at(-1)?.(11)
  await counted
  expect(estimate.used).toBe(13)
  await count(12)
  expect(estimate.used).toBe(12)
})

test('a reserved amount counts against the limit, until its commit has ended', async () => {
  const { estimate, count } = newEstimate()
  expect(estimate.fits(1, 100)).toBe(false)
  await count(8)
  const [first, second] = [estimate.reserve(1), estimate.reserve(1)]
  expect([estimate.fits(0, 10), estimate.fits(1, 10), estimate.used]).toEqual([true, false, 8])
  first.end()
  estimate.add(1)
  second.end()
  expect([estimate.fits(1, 10), estimate.fits(2, 10), estimate.used]).toEqual([true, false, 9])
  estimate.add(-100)
  expect(estimate.used).toBe(0)
})

test('a use that is shown is outdated after a commit of unknown effect, and after a minute', async () => {
  const { estimate, count } = newEstimate()
  expect(estimate.isOutdated()).toBe(true)
  await count(8)
  expect(estimate.isOutdated()).toBe(false)
  estimate.noteUnknown()
  expect(estimate.isOutdated()).toBe(true)
  await count(8)
  expect(estimate.isOutdated()).toBe(false)
  await vi.advanceTimersByTimeAsync(60_001)
  expect(estimate.isOutdated()).toBe(true)
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

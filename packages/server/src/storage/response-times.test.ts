import { describe, expect, it } from 'vitest'
import {
  addResponseTimes,
  bucketCount,
  bucketOf,
  noResponseTimes,
  percentileMs,
  type ResponseTimes,
} from './response-times.ts'

/** Returns the same numbers from 0 to 1 for the same seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

const distributions: Record<string, (random: () => number) => number> = {
  uniform: (random) => 1 + 999 * random(),
  exponential: (random) => 0.02 - 20 * Math.log(1 - random()),
  lognormal: (random) => Math.exp(1 + 1.5 * normal(random)) + 0.01,
  'heavy-tailed': (random) => Math.min(0.5 / (1 - random()) ** 1.2, 3_000_000),
  'two peaks': (random) => (random() < 0.9 ? 0.2 + 0.05 * random() : 800 + 50 * random()),
}

function timesOf(values: readonly number[]): ResponseTimes {
  const buckets: Record<string, number> = {}
  for (const value of values) buckets[bucketOf(value)] = (buckets[bucketOf(value)] ?? 0) + 1
  return { timed: values.length, totalMs: values.reduce((sum, value) => sum + value, 0), buckets }
}

function exactPercentile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1] as number
}

describe('percentiles of the histogram', () => {
  it.each(Object.entries(distributions))(
    'differ from the exact ones of a distribution that is %s by at most 1 %% [analytics.metrics]',
    (_name, draw) => {
      for (const [index, size] of [1, 2, 19, 100, 1_000, 50_000].entries()) {
        const random = seeded(7 + index)
        const values = Array.from({ length: size }, () => draw(random))
        const times = timesOf(values)
        const sorted = values.toSorted((a, b) => a - b)
        for (const share of [0.01, 0.5, 0.9, 0.95, 0.99, 0.999, 1]) {
          const exact = exactPercentile(sorted, share)
          const error = Math.abs(percentileMs(times, share) - exact) / exact
          expect(error, `${size} times, share ${share}`).toBeLessThanOrEqual(0.01)
        }
      }
    },
  )

  it('are the same whether one process counts all requests or several count a part each [analytics.metrics]', () => {
    const random = seeded(3)
    const values = Array.from({ length: 3_000 }, () =>
      (distributions['lognormal'] as (r: () => number) => number)(random),
    )
    const parts = [values.slice(0, 10), values.slice(10, 2_000), [], values.slice(2_000)].map(timesOf)
    const merged = parts.reduce(addResponseTimes, noResponseTimes)
    const whole = timesOf(values)
    expect(merged.buckets).toEqual(whole.buckets)
    expect(merged.timed).toBe(3_000)
    expect(merged.totalMs).toBeCloseTo(whole.totalMs, 6)
    expect(percentileMs(merged, 0.99)).toBe(percentileMs(whole, 0.99))
  })

  it('are 0 without requests', () => {
    expect(percentileMs(noResponseTimes, 0.95)).toBe(0)
  })
})

it.each([0, -1, 1e-9, 0.01, 3_600_000, 1e12, Number.MAX_VALUE])(
  'a time of %d ms has a bucket',
  (responseTimeMs) => {
    const bucket = bucketOf(responseTimeMs)
    expect(Number.isInteger(bucket)).toBe(true)
    expect(bucket).toBeGreaterThanOrEqual(0)
    expect(bucket).toBeLessThan(bucketCount)
  },
)

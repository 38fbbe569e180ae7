import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  guardedOperations,
  isTooSlow,
  limitOf,
  type Slower,
} from '../../bench/support/compare/guard-rules.ts'
import { comparedOperations } from '../../bench/support/compare/operations.ts'

const read = (file: string) =>
  JSON.parse(readFileSync(new URL(`../../../../docs/${file}`, import.meta.url), 'utf8'))
const spread = (lower: number, median: number, upper: number) => ({ lower, median, upper })
const operation = 'read a customer'

test('the guard measures eight operations that exist, on the same two services', () => {
  expect(guardedOperations).toHaveLength(8)
  const found = comparedOperations.filter(({ name }) => guardedOperations.includes(name))
  expect(found).toHaveLength(8)
  expect(new Set(found.map(({ form }) => form))).toEqual(new Set(['limited']))
})

test('the guard refuses a median above 1.15, however far the pairs of a busy machine lie apart', () => {
  const limit = limitOf([], { operation, release: '0.2.0' })
  expect(isTooSlow(spread(1.0, 1.16, 1.5), limit)).toBe(true)
  expect(isTooSlow(spread(1.1, 1.14, 1.4), limit)).toBe(false)
})

test('an operation that is named as slower has a limit of its own until the next release', () => {
  const slower: Slower[] = [{ operation, release: '0.2.0', ratio: 1.4, reason: 'It checks the address too.' }]
  const limit = limitOf(slower, { operation, release: '0.2.0' })
  expect(isTooSlow(spread(1.25, 1.38, 1.5), limit)).toBe(false)
  expect(isTooSlow(spread(1.35, 1.45, 1.5), limit)).toBe(true)
  expect(limitOf(slower, { operation, release: '0.3.0' })).toBe(1.15)
  expect(limitOf(slower, { operation: 'list customers', release: '0.2.0' })).toBe(1.15)
})

test('docs/slower.json names guarded operations and releases that exist, each with a reason', () => {
  const versions = read('releases.json').map(({ version }: { version: string }) => version)
  for (const { operation: named, release, ratio, reason } of read('slower.json') as Slower[]) {
    expect(guardedOperations).toContain(named)
    expect(versions).toContain(release)
    expect(ratio).toBeGreaterThan(1.15)
    expect(reason.length).toBeGreaterThan(20)
  }
  expect(versions.length).toBeGreaterThan(0)
})

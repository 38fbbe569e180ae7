import { expect, test } from 'vitest'
import { createRestRule } from './release-memory.ts'

const idle = { utilization: 0.01, uptimeMs: 3_600_000 }
const busy = { utilization: 0.5, uptimeMs: 3_600_000 }

test('a process that has just started is rested at its first idle check', () => {
  const isRested = createRestRule()
  expect(isRested({ utilization: 0.5, uptimeMs: 3_000 })).toBe(false)
  expect(isRested({ utilization: 0.01, uptimeMs: 6_000 })).toBe(true)
})

test('a process that has worked keeps its compiled code until it was idle for two minutes without a break', () => {
  const isRested = createRestRule()
  const answers = (count: number) => Array.from({ length: count }, () => isRested(idle))
  expect(answers(39)).not.toContain(true)
  expect(isRested(busy)).toBe(false)
  expect(answers(39)).not.toContain(true)
  expect(isRested(idle)).toBe(true)
})

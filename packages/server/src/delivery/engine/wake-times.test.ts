import { expect, test } from 'vitest'
import { WakeTimes } from './wake-times.ts'

test('returns every item once, the earliest first', () => {
  const times = new WakeTimes<number>()
  const shuffled = Array.from({ length: 500 }, (_, i) => (i * 7919) % 500)
  for (const at of shuffled) times.add(at, at)
  expect(times.earliest()).toBe(0)
  expect(times.take(99)).toEqual(Array.from({ length: 100 }, (_, i) => i))
  expect(times.earliest()).toBe(100)
  expect(times.take(1000)).toEqual(Array.from({ length: 400 }, (_, i) => 100 + i))
  expect(times.earliest()).toBeNull()
  expect(times.take(1000)).toEqual([])
})

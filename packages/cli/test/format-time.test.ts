import { expect, it } from 'vitest'
import { clockTime, deadline, relativeTime } from '../src/output/format-time.ts'

const now = Date.parse('2026-11-22T10:00:00.000Z')
const after = (seconds: number) => new Date(now + seconds * 1000).toISOString()

it.each([
  [4 * 3600 - 0.2, 'in 4h'],
  [600 - 0.5, 'in 10m'],
  [90 * 86_400 - 1, 'in 3mo'],
  [-(59 * 60 + 45), '1h ago'],
  [-(3 * 3600 + 29 * 60), '3h ago'],
  [-40, '40s ago'],
  [-2, 'now'],
])('a time %d seconds from now is rounded, never cut: %s', (seconds, text) => {
  expect(relativeTime(after(seconds), now)).toBe(text)
})

it('a deadline is a time of the day when it is near, and a date when it is not', () => {
  expect(deadline(after(4 * 3600), now)).toMatch(/^in 4h \(.*\d\d:\d\d\)$/)
  expect(deadline(after(90 * 86_400), now)).toBe('2027-02-20')
})

it('a line of a stream has a time that stays right when it is read later', () => {
  expect(clockTime(after(0), now)).toMatch(/^\d\d:\d\d:\d\d$/)
  expect(clockTime(after(-30 * 86_400), now)).toMatch(/^2026-10-2\d \d\d:\d\d:\d\d$/)
})

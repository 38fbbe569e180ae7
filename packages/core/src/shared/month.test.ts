import { expect, it } from 'vitest'
import { monthOf, monthsBetween, monthsUntil, queryMonth } from './month.ts'

it('reads the month of a time in UTC', () => {
  expect(monthOf('2026-11-30T23:59:59.999Z')).toBe('2026-11')
})

it.each([
  ['2026-11', '2026-11', 0],
  ['2024-11', '2026-11', 24],
  ['2024-10', '2026-11', 25],
  ['2026-12', '2027-01', 1],
  ['2026-12', '2026-11', -1],
])('counts the months from %s to %s', (from, to, months) => expect(monthsBetween(from, to)).toBe(months))

it('lists the months until one, in UTC on a machine of any time zone', () => {
  expect(new Date(0).getTimezoneOffset()).not.toBe(0)
  expect(monthsUntil('2026-02', 4)).toEqual(['2025-11', '2025-12', '2026-01', '2026-02'])
})

it.each(['2026', '2026-00', '2026-13', '2026-1', '26-01', '2026-01-01', ' 2026-01', '2026-01\n'])(
  'refuses %j as a month',
  (text) => expect(queryMonth.safeParse(text).success).toBe(false),
)

import { expect, it } from 'vitest'
import { parseDuration } from './duration.ts'

it.each([
  ['1s', 1],
  ['30 secs', 30],
  ['1sec', 1],
  ['90 seconds', 90],
  ['5m', 300],
  ['5 mins', 300],
  ['2 minutes', 120],
  ['1min', 60],
  ['2h', 7200],
  ['1 hour', 3600],
  ['3 hours', 10_800],
  ['1d', 86_400],
  ['31 days', 2_678_400],
  ['second', 1],
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
  ['0s', 0],
])('reads "%s" as %i seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds)
})

it.each(['', 's', '5', '5x', '-5s', '1.5h', '5 m s', 'hours', '5M', '1e3s', 'toString', '9999999999s'])(
  'does not read "%s"',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)

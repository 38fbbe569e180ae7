import { expect, it } from 'vitest'
import { waitMsOf } from '../src/migrate/waits.ts'

const nowMs = Date.parse('2026-11-27T12:00:00.000Z')
const waitMs = (headers: Record<string, string>, tries = 0) =>
  waitMsOf(new Headers(headers), { tries, nowMs })

it.each([
  ['seconds', { 'retry-after': '7' }, 7_000],
  ['a date', { 'retry-after': 'Fri, 27 Nov 2026 12:00:30 GMT' }, 30_000],
  ['a date that is over', { 'retry-after': 'Fri, 27 Nov 2026 11:00:00 GMT' }, 0],
  ['the moment of a limit, in seconds since 1970', { 'x-ratelimit-reset': `${nowMs / 1000 + 12}` }, 12_000],
  ['both', { 'retry-after': '3', 'x-ratelimit-reset': `${nowMs / 1000 + 12}` }, 3_000],
])('a reader waits as long as the source says: %s', (_, headers, ms) => {
  expect(waitMs(headers)).toBe(ms)
})

it('a reader waits a second that doubles up to a minute where the source says nothing, or nothing that is a time', () => {
  expect([0, 1, 2, 5, 6, 30].map((tries) => waitMs({}, tries))).toEqual(
    [1, 2, 4, 32, 60, 60].map((s) => s * 1000),
  )
  expect(waitMs({ 'retry-after': 'soon', 'x-ratelimit-reset': 'later' })).toBe(1_000)
})

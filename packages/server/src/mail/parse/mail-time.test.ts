import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeOfMail } from './mail-time.ts'

const own = process.env['TZ']
beforeAll(() => {
  process.env['TZ'] = 'Asia/Tokyo'
})
afterAll(() => {
  if (own === undefined) delete process.env['TZ']
  else process.env['TZ'] = own
})

test.each([
  ['Fri, 2 Jan 2026 10:00:00', '2026-01-02T10:00:00.000Z'],
  ['Fri Jan  2 10:00:00 2026', '2026-01-02T10:00:00.000Z'],
  ['2026-01-02T10:00:00', '2026-01-02T10:00:00.000Z'],
  ['Fri, 2 Jan 2026 10:00:00 -0500', '2026-01-02T15:00:00.000Z'],
  ['Fri, 2 Jan 2026 10:00:00 GMT', '2026-01-02T10:00:00.000Z'],
  ['Fri, 2 Jan 2026 10:00:00 EST', '2026-01-02T15:00:00.000Z'],
  ['Fri, 2 Jan 2026 10:00:00 JST', '2026-01-02T01:00:00.000Z'],
  ['Thu, 2 Jul 2026 10:00:00 CEST', '2026-07-02T08:00:00.000Z'],
  ['2026-01-02T10:00:00+01:00', '2026-01-02T09:00:00.000Z'],
  ['Friday, January 2, 2026 10:00 PM', '2026-01-02T22:00:00.000Z'],
  ['2026-01-02T10:00:00Z', '2026-01-02T10:00:00.000Z'],
])('%s is the same time in each zone of the machine', (text, expected) => {
  expect(new Date(0).getHours()).toBe(9)
  expect(new Date(timeOfMail(text)).toISOString()).toBe(expected)
})

test('a text without a time is none', () => {
  for (const text of ['', 'soon', 'Fri, 2 Jan 2026 10:00:00 Nowhere/Else']) expect(timeOfMail(text)).toBeNaN()
})

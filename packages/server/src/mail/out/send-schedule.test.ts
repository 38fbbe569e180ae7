import { expect, test } from 'vitest'
import { giveUpAtAfterWait, isOverAt, nextAttemptMs } from './send-schedule.ts'

const dayMs = 86_400_000
const giveUpAt = new Date(2 * dayMs).toISOString()
const send = { tries: 0, giveUpAt, sendAt: new Date(0).toISOString() }

test('a mail is given up after two days, and after seven while the server refuses the sign-in', () => {
  for (const [outcome, days] of [
    ['unreachable', 2],
    ['deferred', 2],
    ['refused_sign_in', 7],
  ] as const) {
    expect(nextAttemptMs(send, { outcome }, days * dayMs - 120_000)).not.toBeNull()
    expect(nextAttemptMs(send, { outcome }, days * dayMs)).toBeNull()
  }
  expect(isOverAt(send, { isRefused: true, atMs: 3 * dayMs })).toBe(false)
  expect(isOverAt(send, { isRefused: false, atMs: 3 * dayMs })).toBe(true)
})

test('the two days do not run while the sign-in is refused, within the seven days of the mail', () => {
  const endMs = (atMs: number, systemMail?: string) =>
    Date.parse(giveUpAtAfterWait({ ...send, ...(systemMail !== undefined && { systemMail }) }, atMs))
  expect(endMs(dayMs)).toBe(2 * dayMs)
  expect(endMs(4 * dayMs)).toBe(6 * dayMs)
  expect(endMs(6 * dayMs)).toBe(7 * dayMs)
  // A mail with a token ends with it.
  expect(endMs(4 * dayMs, 'sealed')).toBe(2 * dayMs)
})

import { expect, test } from 'vitest'
import { isOverAt, nextAttemptMs } from './send-schedule.ts'

const dayMs = 86_400_000
const giveUpAt = new Date(2 * dayMs).toISOString()
const send = { tries: 0, giveUpAt }

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

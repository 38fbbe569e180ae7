import { expect, test } from 'vitest'
import { mailboxTakeoverMsMax } from './fetch-mail.ts'

/** The documents promise a takeover within 30 seconds; connecting and signing in take some of them. */
const promisedMs = 30_000
const connectMs = 5_000

test('a lease and a poll leave time to sign in within the 30 seconds that a takeover may last [own.mail.imap.holder]', () => {
  expect(mailboxTakeoverMsMax + connectMs).toBeLessThanOrEqual(promisedMs)
})

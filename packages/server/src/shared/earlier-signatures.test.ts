import { noEmailSettings } from '@crmkit/core'
import { expect, test } from 'vitest'
import { signaturesAt, withEarlierSignature } from './earlier-signatures.ts'

/** The settings after each of these signatures, one a minute. */
function emailAfter(signatures: readonly (string | null)[]) {
  let email: Parameters<typeof withEarlierSignature>[1]['before'] = noEmailSettings
  for (const [minute, signature] of signatures.entries())
    email = withEarlierSignature({ ...email, signature }, { before: email, now: at(minute) })
  return email
}
const at = (minute: number) => `2026-11-27T10:0${minute}:00.000Z`

test('a message has the signature of its time and the next one, and a new message the present one', () => {
  const email = emailAfter(['first', 'second', 'third'])
  expect(signaturesAt(email, at(0))).toEqual(['first', 'second'])
  expect(signaturesAt(email, at(1))).toEqual(['second', 'third'])
  expect(signaturesAt(email, at(2))).toEqual(['third'])
  // No mail waits for three days.
  expect(signaturesAt(email, '2026-11-24T10:00:00.000Z')).toEqual(['first'])
  expect(signaturesAt(undefined, at(0))).toEqual([null])
})

test('five earlier signatures are kept; none, and the same one again, are not', () => {
  const seven = emailAfter(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  expect(seven.earlierSignatures?.map(({ signature }) => signature)).toEqual(['b', 'c', 'd', 'e', 'f'])
  const same = emailAfter([null, 'a', 'a', null, 'b'])
  expect(same.earlierSignatures).toEqual([{ signature: 'a', endedAt: at(3) }])
})

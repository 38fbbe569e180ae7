import { expect, it } from 'vitest'
import { runMailFaults } from './support/mail-run.ts'

it('no mail is lost and no double is unmarked when the server, the parser and the mail server fail [own.mail.faults]', {
  timeout: 300_000,
}, async () => {
  const report = await runMailFaults({ mails: 3, seed: 19 })
  expect(report.failures).toEqual([])
  // A run in which nothing was killed proves nothing.
  expect(report.kills).toBeGreaterThan(1)
})

it('no mail is lost and no double is unmarked when the server is killed at the points of mail itself [own.mail.faults]', {
  timeout: 300_000,
}, async () => {
  const points = [
    'mail-bytes-before-row',
    'mail-stored-before-answer',
    'mail-read-before-commit',
    'mail-body-before-response',
  ] as const
  const report = await runMailFaults({ mails: 8, seed: 27, points })
  expect(report.failures).toEqual([])
  expect(Object.keys(report.points).sort()).toEqual(points.toSorted())
})

// Runs at night; by day: mail-faults kills at the same points on SQLite.

import { expect, it } from 'vitest'
import { newDatabaseUrl } from '../support/mongo-database.ts'
import { runMailFaults } from './support/mail-run.ts'
import { mongoWorld } from './support/mongo-world.ts'

it('no mail is lost and no double is unmarked on MongoDB when the server, the parser and the mail server fail', {
  timeout: 300_000,
}, async () => {
  const points = [
    'mail-stored-before-answer',
    'mail-read-before-commit',
    'after-claim',
    'mail-body-before-response',
    'before-result-commit',
  ] as const
  const world = mongoWorld({ url: newDatabaseUrl() })
  const report = await runMailFaults({ mails: 8, seed: 27, points, world })
  expect(report.failures).toEqual([])
  expect(Object.keys(report.points).sort()).toEqual(points.toSorted())
})

// Runs at night; by day: together.test.ts on SQLite, and dead-worker, two-of-each and proven-primary on MongoDB.

import { expect, it } from 'vitest'
import { failuresOf } from './support/fault-run.ts'
import { runTogether } from './support/together-run.ts'

it('nothing acknowledged is lost on MongoDB when processes, the primary, Redis and clocks fail beside every kind of work at once', {
  timeout: 600_000,
}, async () => {
  const report = await runTogether({ world: 'mongodb', seed: 12, rounds: 1 })
  expect(failuresOf(report)).toEqual([])
  expect(Object.keys(report.faults)).toHaveLength(6)
  for (const [name, count] of Object.entries(report.work)) expect([name, count > 1]).toEqual([name, true])
})

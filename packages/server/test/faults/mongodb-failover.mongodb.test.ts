// Runs at night; by day: two-of-each ends a process of each role, proven-primary changes primaries.

import { expect, it } from 'vitest'
import { runMongoFaults } from './support/mongo-faults.ts'
import { outageFailuresOf } from './support/outages.ts'

it('every acknowledged change is kept while the members of a replica set fail, and the others are refused with 503', {
  timeout: 420_000,
}, async () => {
  const times = {
    'primary steps down': 3,
    'primary killed': 3,
    'secondary killed': 3,
    // Each fault takes many seconds of waiting: the long form has more of them.
    'primary hangs': 1,
    'majority lost': 1,
  }
  const report = await runMongoFaults({ seed: 4, times, electionTimeoutMs: 1_000 })
  expect(outageFailuresOf(report)).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(100)
})

// Runs at night; by day: two-of-each, and the contract of the queue on Redis.

import { expect, it } from 'vitest'
import { dropDatabase, newDatabaseUrl } from '../support/mongo-database.ts'
import { outageFailuresOf } from './support/outages.ts'
import { runRedisFaults } from './support/redis-faults.ts'

it('no change is lost and work continues by itself while Redis is killed, flushed and paused', async () => {
  const databaseUrl = newDatabaseUrl()
  const report = await runRedisFaults({ databaseUrl, seed: 4, times: { killed: 3, flushed: 3, paused: 3 } })
  await dropDatabase(databaseUrl)
  expect(outageFailuresOf(report)).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(100)
  // The load alone makes four new processes grow; leftovers of outages would grow with each outage.
  expect(report.memoryMiB.last).toBeLessThan(report.memoryMiB.first * 2)
})

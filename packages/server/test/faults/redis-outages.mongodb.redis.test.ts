import { expect, it } from 'vitest'
import { dropDatabase, newDatabaseUrl } from '../support/mongo-database.ts'
import { outageFailuresOf } from './support/outages.ts'
import { runRedisFaults } from './support/redis-faults.ts'

it('loses nothing and goes on by itself while Redis is killed, flushed and paused', {
  timeout: 180_000,
}, async () => {
  const databaseUrl = newDatabaseUrl()
  const report = await runRedisFaults({ databaseUrl, seed: 4, times: { killed: 3, flushed: 3, paused: 3 } })
  await dropDatabase(databaseUrl)
  expect(outageFailuresOf(report)).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(100)
  // The load alone lets four fresh processes grow; what outages would leave behind grows with each of them.
  expect(report.memoryMiB.last).toBeLessThan(report.memoryMiB.first * 2)
})

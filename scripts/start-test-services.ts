// Starts the services that test suites need, from the programs that the environment names: see service-suites.ts.
import { MongoMemoryReplSet } from 'mongodb-memory-server-core'
import { hasMongoWorld } from './service-suites.ts'

/** Called by the test runner before the first suite; what it answers is called after the last one. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!hasMongoWorld) return undefined
  // WiredTiger, because the storage needs transactions.
  const replicaSet = await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })
  // The runner's workers inherit it; each test makes a database of its own on this server.
  process.env['CRM_TEST_MONGODB_URL'] = replicaSet.getUri()
  return async () => {
    await replicaSet.stop()
  }
}

import { randomUUID } from 'node:crypto'
import mongoose from 'mongoose'
import { describeStorageContract } from '../../ports/storage.contract.ts'
import { openMongoStorage } from './mongo-storage.ts'

/** The address of a database that nothing else uses. */
function newDatabaseUrl(): string {
  const url = new URL(process.env['CRM_TEST_MONGODB_URL'] ?? '')
  url.pathname = `/crmkit-test-${randomUUID()}`
  return url.href
}

async function dropDatabase(url: string): Promise<void> {
  const connection = await mongoose.createConnection(url).asPromise()
  await connection.dropDatabase()
  await connection.close()
}

describeStorageContract('MongoDB', async () => {
  const url = newDatabaseUrl()
  const storage = await openMongoStorage({ url })
  await storage.migrate()
  return {
    storage,
    async cleanup() {
      await storage.close()
      await dropDatabase(url)
    },
  }
})

import { dropDatabase, newDatabaseUrl } from '../../../test/support/mongo-database.ts'
import { describeStorageContract } from '../../ports/storage.contract.ts'
import { openMongoStorage } from './mongo-storage.ts'

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

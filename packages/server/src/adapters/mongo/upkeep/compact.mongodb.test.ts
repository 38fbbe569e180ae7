import { expect, onTestFinished, test } from 'vitest'
import { dropDatabase, newDatabaseUrl, withDatabase } from '../../../../test/support/mongo-database.ts'
import { compactMongo } from './compact.ts'

test('the collections of the service and of the files are compacted while clients use them, and others are left alone', async () => {
  const url = newDatabaseUrl()
  onTestFinished(() => dropDatabase(url))
  await withDatabase(url, async (connection) => {
    const customers = connection.collection('customers')
    await customers.insertMany(Array.from({ length: 100 }, () => ({ text: 'a'.repeat(10_000) })))
    for (const name of ['attachmentBytes.chunks', 'of-somebody-else'])
      await connection.collection(name).insertOne({})
    await customers.deleteMany({ text: { $exists: true } })
    const { collections, freedBytes } = await compactMongo(url)
    expect(collections).toBe(2)
    expect(freedBytes).toBeGreaterThanOrEqual(0)
    await customers.insertOne({ text: 'after' })
  })
})

import { randomUUID } from 'node:crypto'
import mongoose from 'mongoose'

/** The address of a database on the test server that nothing else uses. */
export function newDatabaseUrl(): string {
  const url = new URL(process.env['CRM_TEST_MONGODB_URL'] ?? '')
  url.pathname = `/crmkit-test-${randomUUID()}`
  return url.href
}

/** Does something with the driver itself, past the adapter. */
export async function withDatabase<T>(
  url: string,
  use: (connection: mongoose.Connection) => Promise<T>,
): Promise<T> {
  const connection = await mongoose.createConnection(url).asPromise()
  try {
    return await use(connection)
  } finally {
    await connection.close()
  }
}

export async function dropDatabase(url: string): Promise<void> {
  await withDatabase(url, (connection) => connection.dropDatabase())
}

/** Deletes every row and keeps the collections with their indexes, which take most of the time to make. */
export async function emptyDatabase(url: string): Promise<void> {
  await withDatabase(url, async (connection) => {
    const collections = await connection.listCollections()
    await Promise.all(collections.map(({ name }) => connection.collection(name).deleteMany({})))
  })
}

/** Whether it is a find that a caller asked for, not the proof before the first read from a primary. */
export function isAskedFind({ commandName, command }: mongoose.mongo.CommandStartedEvent): boolean {
  return commandName === 'find' && command['readConcern']?.level !== 'linearizable'
}

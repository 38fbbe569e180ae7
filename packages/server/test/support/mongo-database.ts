import { randomBytes, randomUUID } from 'node:crypto'
import mongoose from 'mongoose'
import { schemaVersion } from '../../src/adapters/mongo/connection/migrate.ts'

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

/** Rows in which a migration keeps its result. */
const notesOfMigration = ['schema', 'installation']

/**
 * Deletes every row and keeps the collections with their indexes, which take most of the time to make. It is another installation
 * afterwards: Redis keeps limits and jobs by its id. Returns whether the database is as a migration leaves it; a test may have
 * changed what the migration noted.
 */
async function emptyDatabase(url: string): Promise<boolean> {
  return withDatabase(url, async (connection) => {
    const filled = await findFilled(connection)
    const empty = (name: string) =>
      connection
        .collection<{ _id: string }>(name)
        .deleteMany(name === 'serverState' ? { _id: { $nin: notesOfMigration } } : {})
    await Promise.all(filled.map(empty))
    const state = connection.collection<{ _id: string; version?: number; row?: object }>('serverState')
    const row = { id: randomBytes(12).toString('hex') }
    const renewed = await state.updateOne({ _id: 'installation' }, { $set: { row } })
    const schema = await state.findOne({ _id: 'schema' })
    return renewed.matchedCount === 1 && schema?.version === schemaVersion
  })
}

/** Databases without rows that earlier tests of this process have finished with. */
const emptied: string[] = []

/** A database for a test that migrates it: collections and indexes may exist, because making them takes up to a second. */
export function migratedDatabase(): { url: string; isMigrated: boolean; remove(): Promise<void> } {
  const reused = emptied.pop()
  const url = reused ?? newDatabaseUrl()
  return {
    url,
    isMigrated: reused !== undefined,
    async remove() {
      if (await emptyDatabase(url)) emptied.push(url)
      else await dropDatabase(url)
    },
  }
}

/** Returns the collections with rows, by one command: most are empty, and a deletion in each took as long as many a test. */
async function findFilled(connection: mongoose.Connection): Promise<string[]> {
  const [first, ...others] = (await connection.listCollections()).map(({ name }) => name)
  if (first === undefined) return []
  const nameOfOne = (name: string) => [{ $limit: 1 }, { $project: { _id: 0, name: { $literal: name } } }]
  const unions = others.map((coll) => ({ $unionWith: { coll, pipeline: nameOfOne(coll) } }))
  const found = connection.collection(first).aggregate<{ name: string }>([...nameOfOne(first), ...unions])
  return (await found.toArray()).map(({ name }) => name)
}

/** Whether it is a find that a caller asked for, not the proof before the first read from a primary. */
export function isAskedFind({ commandName, command }: mongoose.mongo.CommandStartedEvent): boolean {
  return commandName === 'find' && command['readConcern']?.level !== 'linearizable'
}

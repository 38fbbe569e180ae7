import { once } from 'node:events'
import mongoose, { type Connection } from 'mongoose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type MongoMember, type MongoSet, startMongoSet } from '../../../../test/support/mongo-set.ts'
import type { Database } from './access.ts'
import { openConnection } from './connection.ts'
import { createDatabase } from './scope.ts'
import { inTransaction } from './transaction.ts'

let set: MongoSet
let connection: Connection
let database: Database
let commands: string[]
let onCommand: ((level: string) => void)[]
let primaryKnown: string

/** Longer than a busy machine takes for a test. */
const patienceMs = 120_000

beforeEach(async () => {
  // It is also how long a primary without its set stays one.
  set = await startMongoSet({ electionTimeoutMs: patienceMs })
  // The driver gives up no paused server before the test lets it go on.
  connection = await openConnection(set.url, {
    monitorCommands: true,
    connectTimeoutMS: patienceMs,
    serverSelectionTimeoutMS: patienceMs,
  })
  database = createDatabase(connection)
  commands = []
  onCommand = []
  primaryKnown = ''
  connection.getClient().on('topologyDescriptionChanged', ({ newDescription }) => {
    const primary = [...newDescription.servers.values()].find(({ type }) => type === 'RSPrimary')
    primaryKnown = primary?.address ?? ''
  })
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName !== 'find') return
    const level = String(command['readConcern']?.level)
    commands.push(level)
    for (const listener of onCommand) listener(level)
  })
})
afterEach(async () => {
  await connection.close()
  await set.stop()
})

/** Resolves when a find with this read concern is sent. */
function isSent(level: string): Promise<void> {
  return new Promise((resolve) => {
    onCommand.push((sent) => {
      if (sent === level) resolve()
    })
  })
}

/** Resolves when the connection knows that this member is the primary. */
async function knows({ port }: MongoMember): Promise<void> {
  const client = connection.getClient()
  while (!primaryKnown.endsWith(`:${port}`)) await once(client, 'topologyDescriptionChanged')
}

/** Writes a row that this member alone confirms. To a read it is like one that an earlier primary has acknowledged. */
async function writeOn({ port }: MongoMember, id: string): Promise<void> {
  const client = new mongoose.mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`)
  const rows = client.db('crmkit').collection<{ _id: string }>('customers')
  const row = { _id: `ten_a:${id}`, tenantId: 'ten_a', id, version: 1, row: { name: id } }
  await rows.insertOne(row, { writeConcern: { w: 1 } })
  await client.close()
}

const find = (id: string) => database.tenant('ten_a').findOne('customers', id)

test('a read from a new primary waits until it knows which changes the majority has', async () => {
  await expect(find('cus_1')).resolves.toBeUndefined()
  const first = await set.primary()
  const [paused, primary] = (await set.secondaries()) as [MongoMember, MongoMember]
  await paused.pause()
  await set.elect(primary)
  await knows(primary)
  await first.pause()
  await writeOn(primary, 'cus_1')
  const proof = isSent('linearizable')
  const [byId, listed, counted] = [
    find('cus_1'),
    database.tenant('ten_a').find('customers', {}),
    database.tenant('ten_a').count('customers', {}, 10),
  ]
  await Promise.race([proof, byId])
  // Its commit waits for the majority too, so its own decisions need no proof.
  const inside = await inTransactionOf(primary, 'cus_1')
  first.resume()
  paused.resume()
  await expect(byId).resolves.toMatchObject({ id: 'cus_1' })
  await expect(listed).resolves.toHaveLength(1)
  await expect(counted).resolves.toBe(1)
  expect(inside).toMatchObject({ id: 'cus_1' })
})

/** Reads in a transaction that has no need of a majority yet. */
async function inTransactionOf(_primary: MongoMember, id: string) {
  const found = Promise.withResolvers<unknown>()
  void inTransaction(database, async (session) => {
    const [row] = await database.tenant('ten_a', session).find('customers', { id })
    found.resolve(row)
  }).catch(() => undefined)
  return found.promise
}

test('a read during which the primary changed is made again, from the new one', async () => {
  await expect(find('cus_1')).resolves.toBeUndefined()
  const first = await set.primary()
  const [second] = (await set.secondaries()) as [MongoMember]
  await first.pause()
  const sent = isSent('majority')
  const read = find('cus_1')
  await sent
  await set.elect(second)
  await knows(second)
  await writeOn(second, 'cus_1')
  first.resume()
  await expect(read).resolves.toMatchObject({ id: 'cus_1' })
})

test('a proof is asked for once for each primary', async () => {
  await Promise.all([find('cus_1'), find('cus_2'), database.tenant('ten_a').find('tasks', {})])
  await find('cus_3')
  expect(commands.filter((level) => level === 'linearizable')).toHaveLength(1)
  const [second] = (await set.secondaries()) as [MongoMember]
  await set.elect(second)
  await knows(second)
  await Promise.all([find('cus_1'), database.tenant('ten_a').find('tasks', {})])
  await find('cus_3')
  expect(commands.filter((level) => level === 'linearizable')).toHaveLength(2)
})

test('another member that comes or goes asks for no new proof', async () => {
  const client = connection.getClient()
  const [secondary] = (await set.secondaries()) as [MongoMember]
  // The readers are new, so the first report that they hear is about the secondary.
  const readers = createDatabase(connection).tenant('ten_a')
  await readers.findOne('customers', 'cus_1')
  const gone = once(client, 'topologyDescriptionChanged')
  await secondary.kill()
  await gone
  await readers.findOne('customers', 'cus_1')
  const back = once(client, 'topologyDescriptionChanged')
  await secondary.restart()
  await back
  await readers.findOne('customers', 'cus_1')
  expect(commands.filter((level) => level === 'linearizable')).toHaveLength(1)
})

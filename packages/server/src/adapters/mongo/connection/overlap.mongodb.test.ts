import { randomUUID } from 'node:crypto'
import mongoose from 'mongoose'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { rejection } from '../../../../test/contracts/storage/harness.contract.ts'
import { insertOf, sample } from '../../../../test/contracts/storage/samples.contract.ts'
import { dropDatabase, newDatabaseUrl, withDatabase } from '../../../../test/support/mongo-database.ts'
import type { Storage } from '../../../ports/storage.ts'
import { DatabaseUpgraded } from '../../../storage/errors.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openMongoStorage } from '../mongo-storage.ts'
import { unseenName } from './earlier-processes.ts'
import { migrateDatabase, type SchemaStep, schemaSteps, schemaVersion } from './migrate.ts'
import { createDatabase } from './scope.ts'
import { findProcesses } from './server-processes.ts'

const tenantId = 'ten_1' as TenantId
const next = schemaVersion + 1
/** The earliest schema whose programs serve beside this one. */
const servedFrom = schemaSteps.findLast(({ kind }) => kind === 'contracts')?.schema
const stepTo = (kind: SchemaStep['kind'], schema = next): readonly SchemaStep[] => [
  ...schemaSteps,
  { schema, kind },
]

let url: string
let storage: Storage
beforeEach(async () => {
  url = newDatabaseUrl()
  storage = await openMongoStorage({ url })
  onTestFinished(async () => {
    await storage.close()
    await dropDatabase(url)
  })
  await storage.migrate()
})

const addCustomer = () =>
  storage
    .forTenant(tenantId)
    .commit({ writes: [insertOf('customers', sample.customers(tenantId))], events: [] })

const database = <T>(use: (connection: mongoose.Connection) => Promise<T>) => withDatabase(url, use)
const rowsOfState = (connection: mongoose.Connection) =>
  connection.collection<{ _id: string; version: number; row: Record<string, unknown> }>('serverState')

/** Upgrades as a version of tomorrow does. */
const upgrade = (steps: readonly SchemaStep[], unseen?: string) =>
  database((connection) =>
    migrateDatabase(connection, createDatabase(connection), { steps, ...(unseen && { unseen }) }),
  )

const processes = () => database((connection) => findProcesses(createDatabase(connection)))

test('connections of processes until 0.2.0 are known by their name, and those of later ones are not', () => {
  const names = ['crmkit', 'crmkit/0.2.0 4711', 'crmkit/0.3.0 process 4711', 'mongosh']
  expect(names.filter((name) => new RegExp(unseenName).test(name))).toEqual(names.slice(0, 2))
})

test('the schema of today is that of the last step', () => {
  expect(schemaSteps.at(-1)?.schema).toBe(schemaVersion)
})

describe('a process', () => {
  test('is known to others with its version and schema, until it ends or was not seen for 30 seconds', async () => {
    const [own, ...others] = await processes()
    expect([own?.schema, own?.version, others]).toEqual([schemaVersion, expect.stringMatching(/^\d/), []])
    // A process that says nothing more: the own one says every five seconds that it is there.
    const setSeen = (agoMs: number) => {
      const row = { $mergeObjects: [own, { processId: 'killed', seenAt: { $subtract: ['$$NOW', agoMs] } }] }
      return database((connection) =>
        rowsOfState(connection).updateOne({ _id: 'process:killed' }, [{ $set: { row } }], { upsert: true }),
      )
    }
    const ids = async () => (await processes()).map(({ processId }) => processId)
    await setSeen(0)
    expect(await ids()).toContain('killed')
    await setSeen(31_000)
    expect(await ids()).toEqual([own?.processId])

    const other = await openMongoStorage({ url })
    await other.migrate()
    expect(await ids()).toHaveLength(2)
    await other.close()
    expect(await ids()).toEqual([own?.processId])
  })

  test('refuses every call within seconds after a version that only it does not know has raised the schema', async () => {
    await addCustomer()
    await database((connection) =>
      rowsOfState(connection).updateOne({ _id: 'schema' }, { $set: { version: next } }),
    )
    expect((await storage.upgraded).message).toContain(`the database has schema ${next}`)
    expect(await rejection(addCustomer())).toBeInstanceOf(DatabaseUpgraded)
    expect(await rejection(storage.system.ping())).toBeInstanceOf(DatabaseUpgraded)
    expect(await database((connection) => connection.collection('customers').countDocuments())).toBe(1)
  })
})

describe('an upgrade beside a process of the version before', () => {
  test('that only expands is made, and both serve on', async () => {
    await upgrade(stepTo('expands'))
    await addCustomer()
    const other = await openMongoStorage({ url })
    onTestFinished(() => other.close())
    await other.migrate()
    await other.system.ping()
    const state = await database((connection) => rowsOfState(connection).findOne({ _id: 'schema' }))
    expect(state).toMatchObject({ version: next, row: { of: next, servedFrom } })
  })

  test('that contracts is refused with the id and version of the process, changes nothing, and is made when it has ended', async () => {
    const [{ processId, version } = { processId: '', version: '' }] = await processes()
    const refused = await rejection(upgrade(stepTo('contracts')))
    expect(refused).toMatchObject({
      message: expect.stringContaining(
        `cannot work with schema ${next}: process ${processId} of version ${version}`,
      ),
    })
    const stateOf = () => database((connection) => rowsOfState(connection).findOne({ _id: 'schema' }))
    expect(await stateOf()).toMatchObject({ version: schemaVersion })
    await storage.close()
    await upgrade(stepTo('contracts'))
    expect(await stateOf()).toMatchObject({ version: next, row: { servedFrom: next } })
    storage = await openMongoStorage({ url })
    expect(await rejection(storage.migrate())).toMatchObject({
      message: expect.stringContaining('start a newer crm-server'),
    })
  })

  test('that contracts is refused beside a process of 0.2.0, which nobody sees in the database', async () => {
    await storage.close()
    // A name of its own: other tests of the server migrate at the same time.
    const appName = `earlier-${randomUUID()}`
    const earlier = await mongoose.createConnection(url, { appName }).asPromise()
    onTestFinished(() => earlier.close())
    await earlier.db?.admin().ping()
    expect(await rejection(upgrade(stepTo('contracts'), `^${appName}$`))).toMatchObject({
      message: expect.stringContaining('a process from 127.0.0.1'),
    })
    await upgrade(stepTo('expands'))
  })
})

import mongoose from 'mongoose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertOf, sample, sampleEvent } from '../../../../test/contracts/storage/samples.contract.ts'
import { migratedDatabase } from '../../../../test/support/mongo-database.ts'
import { UniqueConflict } from '../../../storage/errors.ts'
import type { TenantId } from '../../../storage/records.ts'
import { createDatabase } from '../connection/scope.ts'
import { openMongoStorage } from '../mongo-storage.ts'
import { createCommit } from './commit.ts'

const tenantId = 'ten_1' as TenantId

let url: string

let remove: () => Promise<void>
let connection: mongoose.Connection
let commits: number

beforeEach(async () => {
  ;({ url, remove } = migratedDatabase())
  const storage = await openMongoStorage({ url })
  await storage.migrate()
  await storage.close()
  connection = await mongoose.createConnection(url, { monitorCommands: true }).asPromise()
  commits = 0
  connection.getClient().on('commandStarted', ({ commandName }) => {
    if (commandName === 'commitTransaction') commits += 1
  })
})
afterEach(async () => {
  await connection.close()
  await remove()
})

function addition(id: string) {
  return {
    writes: [insertOf('customers', sample.customers(tenantId, { _id: id }))],
    events: [sampleEvent({ about: id })],
  }
}

const storedIds = async () =>
  (
    await createDatabase(connection)
      .tenant(tenantId)
      .find('customers', {}, { sort: { id: 1 } })
  ).map(({ id }) => id)
const countOf = (name: 'events' | 'attempts') => connection.collection(name).countDocuments()

test('additions of a tenant that arrive during its commit share the next one', async () => {
  const commit = createCommit(createDatabase(connection))
  const names = Array.from({ length: 30 }, (_, index) => `cus_${String(index).padStart(2, '0')}`)
  const deliveries = await Promise.all(names.map((name) => commit(tenantId, addition(name))))
  expect(deliveries).toEqual(names.map(() => 0))
  expect(await storedIds()).toEqual(names)
  expect(await countOf('events')).toBe(30)
  expect(commits).toBe(2)
})

test('each addition of a group learns the number of its own deliveries', async () => {
  const commit = createCommit(createDatabase(connection))
  const webhook = sample.webhooks(tenantId, { events: ['customer.created'], isActive: true })
  await commit(tenantId, { writes: [insertOf('webhooks', webhook)], events: [] })
  const silent = { ...addition('cus_2'), events: [] }
  const changes = [addition('cus_0'), addition('cus_1'), silent, addition('cus_3')]
  expect(await Promise.all(changes.map((change) => commit(tenantId, change)))).toEqual([1, 1, 0, 1])
  expect(await countOf('attempts')).toBe(3)
})

test('a refused addition fails alone, with its events, and the others of its group are stored once', async () => {
  const commit = createCommit(createDatabase(connection))
  await commit(tenantId, addition('cus_5'))
  const names = Array.from({ length: 10 }, (_, index) => `cus_${index}`)
  // The first one has a transaction of its own; two of the others cannot both be stored.
  const results = await Promise.allSettled(
    [...names, 'cus_7'].map((name) => commit(tenantId, addition(name))),
  )
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toHaveLength(2)
  for (const reason of refused) expect(reason).toBeInstanceOf(UniqueConflict)
  expect(await storedIds()).toEqual(names)
  expect(await countOf('events')).toBe(10)
})

test('changes of other rows and of other tenants do not wait for a group', async () => {
  const database = createDatabase(connection)
  const commit = createCommit(database)
  const tenants = ['ten_a', 'ten_b', 'ten_c'] as TenantId[]
  await Promise.all(
    tenants.flatMap((tenant) =>
      ['cus_0', 'cus_1', 'cus_2'].map((name) =>
        commit(tenant, {
          writes: [insertOf('customers', sample.customers(tenant, { _id: name }))],
          events: [],
        }),
      ),
    ),
  )
  for (const tenant of tenants) expect(await database.tenant(tenant).find('customers', {})).toHaveLength(3)
  expect(commits).toBe(6)
})

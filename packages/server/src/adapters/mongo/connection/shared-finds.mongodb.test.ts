import mongoose from 'mongoose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dropDatabase, isAskedFind, newDatabaseUrl } from '../../../../test/support/mongo-database.ts'
import type { Database } from './access.ts'
import { createDatabase } from './scope.ts'

let url: string
let connection: mongoose.Connection
let database: Database
let finds: number
let filters: unknown[]

beforeEach(async () => {
  url = newDatabaseUrl()
  connection = await mongoose.createConnection(url, { monitorCommands: true }).asPromise()
  database = createDatabase(connection)
  finds = 0
  filters = []
  connection.getClient().on('commandStarted', (event) => {
    if (!isAskedFind(event)) return
    finds += 1
    filters.push(event.command['filter'])
  })
})
afterEach(async () => {
  await connection.close()
  await dropDatabase(url)
})

const row = (name: string) => ({ name })
const nameOf = async (tenantId: string, id: string) =>
  (await database.tenant(tenantId).findOne('customers', id))?.row['name']

test('reads by id that start together share one command, and each gets the row of its own tenant', async () => {
  for (const tenantId of ['ten_a', 'ten_b']) {
    const rows = ['cus_1', 'cus_2'].map((id) => ({ id, row: row(`${tenantId} ${id}`) }))
    await database.tenant(tenantId).insert('customers', rows)
  }
  await database.tenant('ten_b').insert('customers', [{ id: 'cus_3', row: row('ten_b cus_3') }])
  const names = await Promise.all([
    nameOf('ten_a', 'cus_1'),
    nameOf('ten_b', 'cus_1'),
    nameOf('ten_b', 'cus_2'),
    nameOf('ten_b', 'cus_2'),
    // A row of another tenant.
    nameOf('ten_a', 'cus_3'),
    nameOf('ten_b', 'cus_3'),
    nameOf('ten_c', 'cus_1'),
  ])
  const second = 'ten_b cus_2'
  const expected = ['ten_a cus_1', 'ten_b cus_1', second, second, undefined, 'ten_b cus_3', undefined]
  expect(names).toEqual(expected)
  expect(finds).toBe(1)
})

test('more than a hundred reads of one moment share few commands', async () => {
  const ids = Array.from({ length: 250 }, (_, index) => `cus_${index}`)
  await database.tenant('ten_a').insert(
    'customers',
    ids.map((id) => ({ id, row: row(id) })),
  )
  expect(await Promise.all(ids.map((id) => nameOf('ten_a', id)))).toEqual(ids)
  expect(finds).toBe(3)
})

test('an id that BSON would change finds no row', async () => {
  await database.tenant('ten_a').insert('customers', [{ id: 'cus_\ufffd', row: row('another') }])
  expect(await nameOf('ten_a', 'cus_\ud800')).toBeUndefined()
  expect(await nameOf('ten_a', 'cus_\ufffd')).toBe('another')
})

test('every read of a command that fails is rejected, and the next one is sent', async () => {
  await connection.close()
  const results = await Promise.allSettled([nameOf('ten_a', 'cus_1'), nameOf('ten_b', 'cus_1')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await connection.openUri(url)
  expect(await nameOf('ten_a', 'cus_1')).toBeUndefined()
})

test('a row that several ask for in one moment is read by its key alone', async () => {
  await database.tenant('ten_a').insert('customers', [{ id: 'cus_1', row: row('Ada') }])
  expect(await Promise.all(['cus_1', 'cus_1'].map((id) => nameOf('ten_a', id)))).toEqual(['Ada', 'Ada'])
  expect(filters).toEqual([{ _id: 'ten_a:cus_1' }])
})

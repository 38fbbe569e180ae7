import mongoose from 'mongoose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dropDatabase, isAskedFind, newDatabaseUrl } from '../../../../test/support/mongo-database.ts'
import { createDatabase } from '../connection/scope.ts'
import { findErasuresShared } from './erasures.ts'

let url: string
let connection: mongoose.Connection
let finds: number

beforeEach(async () => {
  url = newDatabaseUrl()
  connection = await mongoose.createConnection(url, { monitorCommands: true }).asPromise()
  finds = 0
  connection.getClient().on('commandStarted', (event) => {
    if (isAskedFind(event)) finds += 1
  })
})
afterEach(async () => {
  await connection.close()
  await dropDatabase(url)
})

// The counts of 100 users once took 20,000 commands, one for each row that was read.
test('reads that start together share one look at the erasures of their tenant, and later ones take another', async () => {
  const database = createDatabase(connection)
  const [mine, other] = [database.tenant('ten_a'), database.tenant('ten_b')]
  await mine.insert('tasks', [{ id: 'task_1', keys: { erases: 'cus_1' } }])
  const [first, second, ofOther] = await Promise.all([mine, mine, other].map(findErasuresShared))
  expect([...(first ?? [])]).toEqual(['cus_1'])
  expect(second).toBe(first)
  expect([...(ofOther ?? [])]).toEqual([])
  expect(finds).toBe(2)
  await mine.insert('tasks', [{ id: 'task_2', keys: { erases: 'cus_2' } }])
  expect([...(await findErasuresShared(mine))].sort()).toEqual(['cus_1', 'cus_2'])
  expect(finds).toBe(3)
})

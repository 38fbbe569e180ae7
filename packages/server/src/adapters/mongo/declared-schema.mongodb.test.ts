import type mongoose from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertOf, sample } from '../../../test/contracts/storage/samples.contract.ts'
import { indexProblems } from '../../../test/schema/declared-mongo.ts'
import { askedLists } from '../../../test/schema/list-plans.ts'
import { mongoPlanProblem } from '../../../test/schema/mongo-plans.ts'
import { dropDatabase, newDatabaseUrl, withDatabase } from '../../../test/support/mongo-database.ts'
import type { Storage } from '../../ports/storage.ts'
import { computedNamesOf, isListed, storedKinds } from '../../storage/kinds/derive.ts'
import type { TenantId } from '../../storage/records.ts'
import { openMongoStorage } from './mongo-storage.ts'

const tenantId = 'ten_1' as TenantId
const url = newDatabaseUrl()
let storage: Storage

beforeAll(async () => {
  storage = await openMongoStorage({ url })
  await storage.migrate()
  for (const kind of storedKinds) {
    // The one row of a tenant has its id.
    const ids = kind === 'tenants' ? [tenantId] : Array.from({ length: 20 }, (_, index) => `${kind}_${index}`)
    const rows = ids.map((_id) => sample[kind](tenantId, { _id } as never))
    const writes = rows.map((row) => insertOf(kind, row as never) as never)
    await storage.system.commit(tenantId, { writes, events: [] })
  }
})
afterAll(async () => {
  await storage.close()
  await dropDatabase(url)
})

function onDatabase<T>(use: (connection: mongoose.Connection) => Promise<T>): Promise<T> {
  return withDatabase(url, use)
}

test('a migration makes the declared collections with the declared indexes, and nothing else', async () => {
  expect((await onDatabase(indexProblems)).join('\n')).toBe('')
})

test.each(storedKinds)('%s: the keys of a document are the declared computed values', async (kind) => {
  const found = await onDatabase((connection) => connection.collection(kind).findOne({}))
  expect(Object.keys(found?.['keys'] ?? {}).sort()).toEqual(computedNamesOf(kind).sort())
})

const lists = storedKinds.filter(isListed).flatMap(askedLists)

test.each(lists)('an index serves the list of $kind $name, sorted', async (asked) => {
  expect((await onDatabase((connection) => mongoPlanProblem(connection, asked))) ?? '').toBe('')
})

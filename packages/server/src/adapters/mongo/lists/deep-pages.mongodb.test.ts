import { conversationStatuses } from '@crmkit/core'
import mongoose from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertOf, sample } from '../../../../test/contracts/storage/samples.contract.ts'
import { askedLists } from '../../../../test/schema/list-plans.ts'
import { dropDatabase, isAskedFind, newDatabaseUrl } from '../../../../test/support/mongo-database.ts'
import type { Storage } from '../../../ports/storage.ts'
import { isListed, rulesOf, storedKinds } from '../../../storage/kinds/derive.ts'
import type { ListedKind } from '../../../storage/kinds/registry.ts'
import type { TenantId } from '../../../storage/records.ts'
import { createDatabase } from '../connection/scope.ts'
import { openMongoStorage } from '../mongo-storage.ts'
import { kindQuery } from './kind-list.ts'
import { createListReader, servingIndex } from './list-query.ts'

const tenantId = 'ten_1' as TenantId
const url = newDatabaseUrl()
const hints: unknown[] = []
const names = Array.from({ length: 300 }, (_, index) => `cus_${String(index).padStart(3, '0')}`)
let storage: Storage
let connection: mongoose.Connection

beforeAll(async () => {
  storage = await openMongoStorage({ url })
  await storage.migrate()
  const rows = names.map((_id) => sample.customers(tenantId, { _id, createdAt: '2026-01-01T00:00:00.000Z' }))
  await storage.system.commit(tenantId, { writes: rows.map((row) => insertOf('customers', row)), events: [] })
  connection = await mongoose.createConnection(url, { monitorCommands: true }).asPromise()
  connection.getClient().on('commandStarted', (event) => {
    if (isAskedFind(event)) hints.push(event.command['hint'])
  })
})
afterAll(async () => {
  await connection.close()
  await storage.close()
  await dropDatabase(url)
})

function readCustomers(page: number) {
  const read = createListReader(createDatabase(connection).tenant(tenantId))
  return read(kindQuery('customers', { page, limit: 50 }))
}

test('a deep page names its index, and holds the rows that follow the page before it', async () => {
  const pages = await Promise.all([1, 2, 3, 4, 5, 6].map(readCustomers))
  const ids = pages.flatMap(({ rows }) => rows.map(({ id }) => id))
  expect(ids).toEqual([...names].reverse())
  expect(hints.filter((hint) => hint === undefined)).toHaveLength(4)
  expect(hints.filter((hint) => hint === 'created')).toHaveLength(2)
})

/** A list that always has a filter, whose index holds few rows. */
function hasPartialIndex(kind: ListedKind): boolean {
  const { filters = {}, needsOneOf = [] } = rulesOf(kind).list ?? {}
  return needsOneOf.some((name) => 'onlySet' in (filters[name] ?? {}))
}

const sorted = storedKinds
  .filter(isListed)
  .filter((kind) => !hasPartialIndex(kind))
  .flatMap(askedLists)
  .filter(({ isSortedByIndex, foundBy }) => isSortedByIndex && foundBy === undefined)

test.each(sorted)('a deep page of $kind $name has an index', ({ kind, filter }) => {
  expect(servingIndex(kindQuery(kind, filter as never))).toBeDefined()
})

const undivided = Object.keys(rulesOf('conversations').list?.orders ?? {})
test.each(undivided)('a deep page of all shown conversations by %s has an index', (sort) => {
  const filter = { page: 400, limit: 20, sort, status: [...conversationStatuses] }
  expect(servingIndex(kindQuery('conversations', filter))).toBeDefined()
})

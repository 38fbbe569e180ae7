import mongoose from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertOf, sample } from '../../../../test/contracts/storage/samples.contract.ts'
import { dropDatabase, newDatabaseUrl } from '../../../../test/support/mongo-database.ts'
import type { Storage } from '../../../ports/storage.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openMongoStorage } from '../mongo-storage.ts'

/* Searches for several words, each of which more than a thousand texts have. */

const tenantId = 'ten_1' as TenantId
const url = newDatabaseUrl()
const each = 1_100
let storage: Storage
let connection: mongoose.Connection

/** The numbers from 0 on, in groups that a commit takes. */
function groupsOf(count: number): number[][] {
  const all = Array.from({ length: count }, (_, index) => index)
  return Array.from({ length: Math.ceil(count / 300) }, (_, group) =>
    all.slice(group * 300, (group + 1) * 300),
  )
}

beforeAll(async () => {
  storage = await openMongoStorage({ url })
  await storage.migrate()
  const commit = (writes: never[]) => storage.system.commit(tenantId, { writes, events: [] })
  // The last 30 of the first word and the first 30 of the second are the same customers.
  for (const group of groupsOf(2 * each - 30)) {
    const rows = group.map((index) => {
      const company = [index < each ? 'maroon' : '', index >= each - 30 ? 'velvet' : ''].join(' ')
      const profile = { firstName: 'Ada', lastName: 'Lovelace', email: null, phone: null, company }
      return sample.customers(tenantId, { _id: `cus_${String(index).padStart(4, '0')}`, profile })
    })
    await commit(rows.map((row) => insertOf('customers', row)) as never[])
  }
  // A conversation with both words in one message, one with both in its subject, and many with each word in a message of its own.
  for (const group of groupsOf(each)) {
    const writes = group.flatMap((index) => {
      const conversationId = `con_${String(index).padStart(4, '0')}`
      const contents = index === 500 ? ['a maroon velvet'] : ['some maroon', 'some velvet']
      const subject = index === 700 ? 'Velvet and maroon' : 'A colour'
      return [
        insertOf('conversations', sample.conversations(tenantId, { _id: conversationId, subject })),
        ...contents.map((content, place) =>
          insertOf(
            'messages',
            sample.messages(tenantId, { _id: `msg_${index}_${place}`, conversationId, content }),
          ),
        ),
      ]
    })
    await commit(writes as never[])
  }
  connection = await mongoose.createConnection(url).asPromise()
})
afterAll(async () => {
  await connection.close()
  await storage.close()
  await dropDatabase(url)
})

const store = () => storage.forTenant(tenantId)

test('customers with two common words are found, counted and paged, and no others', async () => {
  const search = 'velvet maroon'
  const ids = Array.from({ length: 30 }, (_, index) => `cus_${1_070 + index}`)
  const first = await store().customers.list({ page: 1, limit: 20, sort: 'createdAt', search })
  const second = await store().customers.list({ page: 2, limit: 20, sort: 'createdAt', search })
  expect([...first.rows, ...second.rows].map(({ _id }) => _id)).toEqual(ids)
  expect(first.total).toBe(30)
  const none = await store().customers.list({ page: 1, limit: 20, search: 'velvet maroon zebra' })
  expect(none).toMatchObject({ rows: [], total: 0 })
})

test('conversations have both words in one text, not in two messages', async () => {
  const { rows, total } = await store().conversations.list({
    page: 1,
    limit: 20,
    sort: 'createdAt',
    search: 'maroon velvet',
  })
  expect(rows.map(({ _id }) => _id).sort()).toEqual(['con_0500', 'con_0700'])
  expect(total).toBe(2)
})

test('the words of customers are found in the index: only the rows of the page are read', async () => {
  const db = connection.db as mongoose.mongo.Db
  await db.command({ profile: 2 })
  await store().customers.list({ page: 1, limit: 20, search: 'lovelace velvet maroon' })
  await db.command({ profile: 0 })
  const commands = await db
    .collection('system.profile')
    .find({ ns: /\.customers$/ })
    .toArray()
  expect(commands.length).toBeGreaterThan(0)
  const examined = commands.reduce((sum, { docsExamined = 0 }) => sum + Number(docsExamined), 0)
  expect(examined).toBeLessThan(100)
})

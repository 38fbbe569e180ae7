import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMongoStorage } from '../../src/adapters/mongo/mongo-storage.ts'
import type { Storage } from '../../src/ports/storage.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { add } from '../contracts/storage/samples.contract.ts'
import { indexProblems } from '../schema/declared-mongo.ts'
import { askedLists } from '../schema/list-plans.ts'
import { mongoPlanProblem } from '../schema/mongo-plans.ts'
import { dropDatabase, newDatabaseUrl, withDatabase } from '../support/mongo-database.ts'

const url = newDatabaseUrl()
let storage: Storage
beforeAll(async () => {
  storage = await openMongoStorage({ url })
  await storage.migrate()
  const store = storage.forTenant('ten_1' as TenantId)
  await add(store, 'inboxes', Array(5).fill({}))
  await add(store, 'apiKeys', Array(5).fill({}))
})
afterAll(async () => {
  await storage.close()
  await dropDatabase(url)
})

it('a list without its index on MongoDB is found, by the declared indexes and by the plan of the list', async () => {
  await withDatabase(url, async (connection) => {
    await connection.collection('inboxes').dropIndex('created')
    await connection.collection('apiKeys').dropIndex('environment')
    const problems = await indexProblems(connection)
    expect(problems).toHaveLength(2)
    expect(problems.join('\n')).toContain('packages/server/src/storage/kinds/inboxes.ts')
    expect(problems.join('\n')).toContain('packages/server/src/adapters/mongo/connection/migrate.ts')
    const [inboxes] = askedLists('inboxes')
    expect(await mongoPlanProblem(connection, inboxes!)).toContain('The list of inboxes without a filter')
    const keys = askedLists('apiKeys').find(({ foundBy }) => foundBy === 'environment')
    expect(await mongoPlanProblem(connection, keys!)).toContain(
      'packages/server/src/storage/kinds/api-keys.ts',
    )
  })
})

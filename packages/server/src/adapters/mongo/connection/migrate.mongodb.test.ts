import { expect, onTestFinished, test } from 'vitest'
import { rejection } from '../../../../test/contracts/storage/harness.contract.ts'
import { insertOf, sample } from '../../../../test/contracts/storage/samples.contract.ts'
import { dropDatabase, newDatabaseUrl, withDatabase } from '../../../../test/support/mongo-database.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openMongoStorage } from '../mongo-storage.ts'

test('the identity of an e-mail in schema 4 is found as the first one, beside which another can be made', async () => {
  const url = newDatabaseUrl()
  onTestFinished(() => dropDatabase(url))
  const storage = await openMongoStorage({ url })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const tenantId = 'ten_1' as TenantId
  const { system } = storage
  const before = sample.identities(tenantId, { email: 'ada@example.com' })
  await system.commit(tenantId, { writes: [insertOf('identities', before)], events: [] })
  await withDatabase(url, async (connection) => {
    const identities = connection.collection('identities')
    await identities.updateMany({}, { $unset: { keys: '' } })
    await identities.dropIndexes()
    await identities.createIndex({ 'row.email': 1 }, { name: 'email', unique: true })
    await connection
      .collection<{ _id: string }>('serverState')
      .updateOne({ _id: 'schema' }, { $set: { version: 4 } })
  })

  await storage.migrate()
  const { email } = before
  expect(await system.listIdentitiesByEmail(email)).toEqual([{ ...before, version: 1 }])
  const insert = (isSeparate: boolean) => ({
    writes: [insertOf('identities', sample.identities(tenantId, { email, isSeparate }))],
    events: [],
  })
  expect(await rejection(system.commit(tenantId, insert(false)))).toMatchObject({ key: 'firstOfEmail' })
  await system.commit(tenantId, insert(true))
  expect(await system.listIdentitiesByEmail(email)).toHaveLength(2)
})

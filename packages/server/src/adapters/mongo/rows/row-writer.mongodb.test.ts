import { expect, onTestFinished, test } from 'vitest'
import { rejection } from '../../../../test/contracts/storage/harness.contract.ts'
import { add } from '../../../../test/contracts/storage/samples.contract.ts'
import { dropDatabase, newDatabaseUrl, withDatabase } from '../../../../test/support/mongo-database.ts'
import { VersionConflict } from '../../../storage/errors.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openMongoStorage } from '../mongo-storage.ts'

test('a condition of a patch holds for a row of an earlier version without the field, when it asks for the default', async () => {
  const url = newDatabaseUrl()
  onTestFinished(() => dropDatabase(url))
  const storage = await openMongoStorage({ url })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const store = storage.forTenant('ten_1' as TenantId)
  const [row] = await add(store, 'conversations', [{ messageCount: 3 }])
  const id = row?._id ?? ''
  await withDatabase(url, (connection) =>
    connection
      .collection('conversations')
      .updateOne({ id }, { $unset: { 'row.seq': '', 'row.customFields': '' } }),
  )
  const when = (condition: object) =>
    store.commit({
      writes: [{ op: 'patch', kind: 'conversations', id, increment: { seq: 1 }, when: condition }],
      events: [],
    })
  expect(await rejection(when({ seq: 1, messageCount: 3 }))).toBeInstanceOf(VersionConflict)
  expect(await rejection(when({ seq: 0, messageCount: 4 }))).toBeInstanceOf(VersionConflict)
  await when({ seq: 0, customFields: {}, messageCount: 3 })
  expect((await store.conversations.find(id))?.seq).toBe(1)
})

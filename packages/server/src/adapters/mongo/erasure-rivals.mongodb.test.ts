import { expect, test } from 'vitest'
import { dropDatabase, newDatabaseUrl } from '../../../test/support/mongo-database.ts'
import type { TenantId } from '../../ports/records.ts'
import { VersionConflict } from '../../ports/storage.ts'
import { add, at } from '../../ports/storage-contract/samples.contract.ts'
import { openMongoStorage } from './mongo-storage.ts'

test('an erasure is not put off for ever by short commits to what it erases', {
  timeout: 60_000,
}, async () => {
  const url = newDatabaseUrl()
  const storage = await openMongoStorage({ url })
  await storage.migrate()
  const store = storage.forTenant('ten_1' as TenantId)
  await add(store, 'customers', [{ _id: 'cus_1' }])
  await add(store, 'conversations', [{ _id: 'con_1', customerId: 'cus_1' }])
  const ids = Array.from({ length: 450 }, (_, index) => `msg_${index}`)
  await add(
    store,
    'messages',
    ids.map((_id) => ({ _id, conversationId: 'con_1' })),
  )
  let commits = 0
  const underWay = Promise.withResolvers<void>()
  /** Ends as soon as the erasure hides its rows. */
  const rival = async (start: number) => {
    for (let index = start; ; index = (index + 7) % ids.length) {
      const id = ids[index] as string
      try {
        await store.commit({ writes: [{ op: 'patch', kind: 'messages', id }], events: [] })
        commits += 1
        if (commits === 100) underWay.resolve()
      } catch (error) {
        if (error instanceof VersionConflict) return
        throw error
      }
    }
  }
  const rivals = Array.from({ length: 48 }, (_, index) => rival(index))
  await underWay.promise
  const erasure = { op: 'erase', kind: 'customers', id: 'cus_1', at: at(9_000) } as const
  await store.commit({ writes: [erasure], events: [] })
  await Promise.all(rivals)
  expect(await store.messages.find('msg_0')).toBeUndefined()
  await storage.close()
  await dropDatabase(url)
})

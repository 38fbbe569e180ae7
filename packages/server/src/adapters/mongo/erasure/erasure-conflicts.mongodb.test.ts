import { expect, test } from 'vitest'
import { add, at, sampleEvent } from '../../../../test/contracts/storage/samples.contract.ts'
import { dropDatabase, newDatabaseUrl } from '../../../../test/support/mongo-database.ts'
import { VersionConflict } from '../../../storage/errors.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openMongoStorage } from '../mongo-storage.ts'

test('short commits to the erased rows do not delay an erasure permanently', async () => {
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

test('a webhook is deleted while its attempts are leased repeatedly', async () => {
  const url = newDatabaseUrl()
  const storage = await openMongoStorage({ url })
  await storage.migrate()
  const { system } = storage
  const store = storage.forTenant('ten_1' as TenantId)
  await add(store, 'webhooks', [{ _id: 'w1', events: ['customer.created'], isActive: true }])
  const events = Array.from({ length: 480 }, () => sampleEvent())
  await store.commit({ writes: [], events })
  let claims = 0
  let isDeleted = false
  const underWay = Promise.withResolvers<void>()
  const rival = async (lockToken: string) => {
    while (!isDeleted) {
      const { deliveryQueues } = await system.listDeliveryQueues({ limit: 100 })
      const asked = deliveryQueues.map((deliveryQueue) => ({ ...deliveryQueue, limit: 5 }))
      // The clock advances by more than a lease each time.
      const now = at(1_000_000 + ++claims * 60)
      await system.claimDueAttempts({ now, leaseMs: 1, lockToken, deliveryQueues: asked })
      if (claims >= 50) underWay.resolve()
    }
  }
  const rivals = Array.from({ length: 40 }, (_, index) => rival(`l${index}`))
  await underWay.promise
  await store.commit({ writes: [{ op: 'remove', kind: 'webhooks', id: 'w1', expectVersion: 1 }], events: [] })
  isDeleted = true
  await Promise.all(rivals)
  expect(await store.webhooks.find('w1')).toBeUndefined()
  await storage.close()
  await dropDatabase(url)
})

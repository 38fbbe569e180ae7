import { makeEvent } from '@crmkit/core'
import { expect, test } from 'vitest'
import { createTestClock, useDeliveryHarness } from '../../../test/support/delivery-harness.ts'
import { StorageUnavailable } from '../../ports/storage.ts'
import { add } from '../../ports/storage-contract/samples.contract.ts'

const { openReceiver, openTenant, startWorker, resultsOf, ids, storage } = useDeliveryHarness()

/** A receiver that takes one request at a time, so that other claims wait behind the first. */
async function openGate() {
  const gate = Promise.withResolvers<void>()
  const receiver = await openReceiver((_req, res) => void gate.promise.then(() => res.end()))
  return { receiver, open: () => gate.resolve() }
}

const oneAtOnce = { total: 2, perWebhook: 1 }

test('an event that is erased while its delivery waits behind another is not sent', async () => {
  const { receiver, open } = await openGate()
  const { addWebhook, emit, store } = await openTenant()
  await addWebhook(receiver.url)
  await add(store, 'customers', [{ _id: 'cus_1' }])
  const clock = createTestClock()
  await startWorker({ clock, limits: oneAtOnce })
  const about = (subjects: string[]) =>
    makeEvent({
      id: ids.next('evt'),
      type: 'customer.created',
      now: new Date().toISOString(),
      subjects,
      data: {},
    })
  await store.commit({ writes: [], events: [about([]), about(['cus_1'])] })
  await receiver.waitFor(1)
  const at = new Date().toISOString()
  await store.commit({ writes: [{ op: 'erase', kind: 'customers', id: 'cus_1', at }], events: [] })
  clock.pass(1000)
  const [later] = await emit()
  open()
  const requests = await receiver.waitFor(2)
  expect(requests[1]?.headers['webhook-id']).toBe(later?._id)
})

test('a storage that fails while a delivery waits uses up no attempt of it', async () => {
  const { receiver, open } = await openGate()
  const { addWebhook, emit, tenantId } = await openTenant()
  await addWebhook(receiver.url, { maxRetries: 0 })
  const clock = createTestClock()
  const failed = Promise.withResolvers<void>()
  const failing = new Proxy(storage(), {
    get: (real, name: keyof ReturnType<typeof storage>) =>
      name !== 'forTenant'
        ? real[name]
        : (...args: Parameters<typeof real.forTenant>) => {
            const found = real.forTenant(...args)
            const webhooks = {
              ...found.webhooks,
              find: async () => {
                failed.resolve()
                throw new StorageUnavailable('away')
              },
            }
            return { ...found, webhooks }
          },
  })
  await startWorker({ clock, limits: oneAtOnce, storage: failing, sweepEveryMs: 10 })
  const events = await emit(2)
  await receiver.waitFor(1)
  clock.pass(1000)
  open()
  await Promise.all([failed.promise, resultsOf(tenantId)])
  clock.pass(15_000)
  const requests = await receiver.waitFor(2)
  expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual(events.map(({ _id }) => _id))
})

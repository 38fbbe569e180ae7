import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useDeliveryHarness } from '../../../test/support/delivery-harness.ts'
import type { SystemStore } from '../../ports/system-store.ts'
import { StorageUnavailable } from '../../storage/errors.ts'

const { openReceiver, openTenant, startWorker, storage, resultsOf } = useDeliveryHarness()

// Behaves as a full disk does: due attempts can be read, and nothing can be written.
test('sends few attempts while no result can be written, and all of them afterwards', async () => {
  const receiver = await openReceiver()
  const tenant = await openTenant()
  await tenant.addWebhook(receiver.url)
  const failed = Promise.withResolvers<void>()
  let failuresLeft = 3
  const system = new Proxy(storage().system, {
    get: (real, name: keyof SystemStore) =>
      name !== 'finishAttempts'
        ? real[name]
        : async (...results: Parameters<SystemStore['finishAttempts']>) => {
            if (failuresLeft === 0) return real.finishAttempts(...results)
            failuresLeft -= 1
            if (failuresLeft === 0) failed.resolve()
            throw new StorageUnavailable('full')
          },
  })
  await startWorker({ storage: { ...storage(), system } })
  await tenant.emit(2000)
  await failed.promise
  expect(receiver.requests.length).toBeLessThan(300)
  await resultsOf(tenant.tenantId, 2000)
  const got = receiver.requests.map(({ headers }) => headers['webhook-id'])
  expect([got.length, new Set(got).size]).toEqual([2000, 2000])
})

test('slots are left for receivers that respond, however many others hang', async () => {
  const hanging = await openReceiver(() => undefined)
  const healthy = await openReceiver()
  const stuck = await openTenant()
  for (let i = 0; i < 16; i++) await stuck.addWebhook(`${hanging.url}${i}`, { maxRetries: 0 })
  const other = await openTenant()
  await other.addWebhook(healthy.url)
  await startWorker({
    timeoutMs: 8000,
    limits: { total: 16, fresh: 8, freshMax: 8, freshMs: 30, hanging: 8 },
  })
  await stuck.emit(5)
  // One attempt at each has timed out: from now on the service knows that they hang.
  await resultsOf(stuck.tenantId, 16)
  await hanging.waitFor(24)
  await delay(200)
  const began = performance.now()
  await other.emit()
  await healthy.waitFor(1)
  // The timeout of the hanging receivers is 8 s.
  expect(performance.now() - began).toBeLessThan(7000)
  hanging.cutConnections()
})

import { makeEvent } from '@crmkit/core'
import { expect, test } from 'vitest'
import { add } from '../../../test/contracts/storage/samples.contract.ts'
import { createTestClock, useDeliveryHarness } from '../../../test/support/delivery-harness.ts'
import { StorageUnavailable } from '../../storage/errors.ts'

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

test('an unavailable storage delays due attempts and uses up none of them', async () => {
  const receiver = await openReceiver()
  const { addWebhook, emit } = await openTenant()
  await addWebhook(receiver.url, { maxRetries: 0 })
  let failures = 2
  const system = new Proxy(storage().system, {
    get: (real, name: keyof ReturnType<typeof storage>['system']) =>
      name !== 'claimDueAttempts' || failures-- <= 0
        ? real[name]
        : async () => {
            throw new StorageUnavailable('away')
          },
  })
  const clock = createTestClock()
  await startWorker({ clock, storage: { ...storage(), system }, pollEveryMs: 10 })
  const [event] = await emit()
  const passing = setInterval(() => clock.pass(500), 10)
  const [request] = await receiver.waitFor(1)
  clearInterval(passing)
  expect(request?.headers).toMatchObject({ 'webhook-id': event?._id, 'x-webhook-attempt': '1' })
})

test('a process that was suspended between claim and send leaves the attempt to the next claim', async () => {
  const receiver = await openReceiver()
  const { addWebhook, emit } = await openTenant()
  await addWebhook(receiver.url, { maxRetries: 0 })
  const clock = createTestClock()
  let isAsleep = true
  const system = new Proxy(storage().system, {
    get: (real, name: keyof ReturnType<typeof storage>['system']) =>
      name !== 'claimDueAttempts'
        ? real[name]
        : async (...args: Parameters<typeof real.claimDueAttempts>) => {
            const claimed = await real.claimDueAttempts(...args)
            if (isAsleep && claimed.some(({ claims }) => claims.length > 0)) {
              isAsleep = false
              clock.pass(15_000)
            }
            return claimed
          },
  })
  await startWorker({ clock, storage: { ...storage(), system }, pollEveryMs: 10 })
  await emit()
  await receiver.waitFor(1)
  expect(isAsleep).toBe(false)
  expect(receiver.requests).toHaveLength(1)
})

test('a running attempt is not made a second time when the clock jumps over the end of its lease', async () => {
  const { receiver, open } = await openGate()
  const { addWebhook, emit, attempts, tenantId } = await openTenant()
  const webhook = await addWebhook(receiver.url)
  const clock = createTestClock()
  await startWorker({ clock, pollEveryMs: 10 })
  await emit()
  await receiver.waitFor(1)
  clock.pass(20_000)
  // Another tenant's delivery proves that the worker has polled since.
  const [other, witness] = [await openTenant(), await openReceiver()]
  await other.addWebhook(witness.url)
  for (const count of [1, 2]) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await other.emit()
    await witness.waitFor(count)
  }
  open()
  await resultsOf(tenantId)
  expect(await attempts(webhook._id)).toMatchObject([{ status: 'success', attempt: 1 }])
  expect(receiver.requests).toHaveLength(1)
})

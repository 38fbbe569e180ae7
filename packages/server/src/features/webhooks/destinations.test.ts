import { Failure, newWebhook, newWebhookSecret } from '@crmkit/core'
import { expect, test } from 'vitest'
import { useDeliveryHarness } from '../../../test/support/delivery-harness.ts'
import { malformedDestinations, privateDestinations } from '../../../test/support/destination-vectors.ts'
import { openCaller } from '../../../test/support/webhook-caller.ts'
import { createDestinationGuard } from '../../adapters/https-sender/destination-guard.ts'
import { createHttpsSender } from '../../adapters/https-sender/https-sender.ts'
import { sealWebhook } from '../../delivery/webhooks/seal-webhook.ts'
import { handleCreateWebhook } from './create-webhook.ts'
import { handleTestWebhook } from './test-webhook.ts'
import { handleUpdateWebhook } from './update-webhook.ts'

const harness = useDeliveryHarness()
const { checkDestination } = createDestinationGuard({})
const refusedDestinations = [
  ...privateDestinations.map((url) => ({ url, rule: 'destination' })),
  ...malformedDestinations.map((url) => ({ url, rule: 'url' })),
]

const problemsOf = async (work: Promise<unknown>) => {
  const failure = await work.catch((error: unknown) => error)
  return failure instanceof Failure ? failure.details : failure
}

/** A service with default settings, and a webhook whose row was written outside of it. */
async function openStrict() {
  const sender = createHttpsSender({ guard: createDestinationGuard({}) })
  harness.onCleanup(() => sender.close())
  const caller = await openCaller(harness, { sender, checkDestination })
  const plant = async (url: string) => {
    const { tenantId, store } = caller
    const now = new Date().toISOString()
    const settings = { name: 'planted', url, events: ['customer.created' as const] }
    const webhook = newWebhook(settings, { id: harness.ids.next('whk'), tenantId, now })
    const row = sealWebhook(harness.secrets, webhook, newWebhookSecret())
    await store.commit({ writes: [{ op: 'insert', kind: 'webhooks', row }], events: [] })
    return webhook._id
  }
  return { ...caller, sender, plant }
}

test('there are at least 60 vectors', () => expect(privateDestinations.length).toBeGreaterThanOrEqual(60))

test('every vector is refused at create, at update, at a test and at the connection itself [delivery.https]', async () => {
  const { run, plant, sender } = await openStrict()
  const body = { name: 'a', events: ['customer.created'], url: 'https://example.com/' }
  const id = (await run(handleCreateWebhook, { body })).reply.data._id
  for (const { url, rule } of refusedDestinations) {
    const problem = [expect.objectContaining({ field: 'url', rule, in: 'body' })]
    expect(await problemsOf(run(handleCreateWebhook, { body: { ...body, url } })), `create ${url}`).toEqual(
      problem,
    )
    const update = run(handleUpdateWebhook, { params: { id }, body: { url } })
    expect(await problemsOf(update), `update ${url}`).toEqual(problem)
    const planted = await plant(url)
    const tested = (await run(handleTestWebhook, { params: { id: planted } })).reply.data
    expect(tested, `test ${url}`).toMatchObject({
      errorCode: 'BLOCKED',
      statusCode: null,
      remoteAddress: null,
    })
    const sent = await sender.post({ url, headers: {}, body: '', timeoutMs: 1000, tenantId: 'ten_1' })
    expect(sent, `connect ${url}`).toMatchObject({ errorCode: 'BLOCKED', remoteAddress: null })
  }
})

test('one private address among several is enough to refuse a destination', async () => {
  for (const addresses of [
    ['93.184.216.34', '10.0.0.1'],
    ['2606:4700:4700::1111', '::1'],
  ]) {
    const guard = createDestinationGuard({})
    const sender = createHttpsSender({ guard, resolveHost: async () => addresses })
    const url = 'https://receiver.test/'
    const sent = await sender.post({ url, headers: {}, body: '', timeoutMs: 1000, tenantId: 'ten_1' })
    expect(sent).toMatchObject({ errorCode: 'BLOCKED', error: 'The destination is not a public address' })
    await sender.close()
  }
})

test('a name whose addresses change between check and connect is still refused', async () => {
  const receiver = await harness.openReceiver()
  // The first look-up returns an allowed address, a second one before connecting would return another.
  const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']]
  let asked = 0
  const sender = harness.openSender({ resolveHost: async () => answers[asked++] ?? [] })
  const url = `https://receiver.test:${receiver.port}/`
  const post = () => sender.post({ url, headers: {}, body: '', timeoutMs: 2000, tenantId: 'ten_1' })
  expect(await post()).toMatchObject({ statusCode: 200, remoteAddress: '127.0.0.1' })
  expect(asked).toBe(1)
  receiver.cutConnections()
  await expect.poll(async () => (await post()).errorCode).toBe('BLOCKED')
  expect(receiver.requests).toHaveLength(1)
})

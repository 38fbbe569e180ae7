import { isWebhookBodySignature } from '@crmkit/core'
import { expect, test } from 'vitest'
import { createTestClock, deafQueue, useDeliveryHarness } from '../../../test/support/delivery-harness.ts'
import { createSecretBox } from '../../security/secret-box.ts'

const { openReceiver, openSender, openTenant, startWorker, resultsOf } = useDeliveryHarness()

test('an event reaches its receiver immediately after the commit, and the log shows the attempt [deliveryLog.fields]', async () => {
  const receiver = await openReceiver()
  const { addWebhook, emit, attempts, tenantId } = await openTenant()
  const webhook = await addWebhook(receiver.url)
  await startWorker({ pollEveryMs: 3_600_000 })
  const [event] = await emit()
  const [request] = await receiver.waitFor(1)
  await resultsOf(tenantId)
  const [log] = await attempts(webhook._id)
  expect(log).toMatchObject({
    webhookId: webhook._id,
    event: 'customer.created',
    eventId: event?._id,
    status: 'success',
    statusCode: 200,
    attempt: 1,
    error: null,
    errorCode: null,
    remoteAddress: '127.0.0.1',
  })
  expect(log?.responseTime).toBe(log?.timings?.total)
  expect(request?.headers['x-webhook-delivery']).toBe(log?.deliveryId)
  expect(request?.body).toBe(event?.body)
})

test('every attempt carries the same bytes and ids, at the planned times and never early [state.delivery delivery.retries delivery.logged]', async () => {
  const answers = [500, 503, 200]
  const receiver = await openReceiver((_req, res) => res.writeHead(answers.shift() ?? 200).end())
  const clock = createTestClock()
  const { addWebhook, emit, attempts, tenantId } = await openTenant()
  const webhook = await addWebhook(receiver.url)
  await startWorker({ clock, queue: deafQueue, pollEveryMs: 10 })
  const [event] = await emit()
  for (const [index, waitMs] of [2000, 4000].entries()) {
    const result = (await resultsOf(tenantId, index + 1))[index]
    expect(Date.parse(result?.next?.nextAttemptAt ?? '') - Date.parse(result?.deliveredAt ?? '')).toBe(waitMs)
    expect(receiver.requests).toHaveLength(index + 1)
    clock.pass(waitMs)
    const [planned, got] = [Date.parse(result?.next?.nextAttemptAt ?? ''), await receiver.waitFor(index + 2)]
    expect(Number(got[index + 1]?.headers['webhook-timestamp'])).toBeGreaterThanOrEqual(
      Math.floor(planned / 1000),
    )
  }
  await resultsOf(tenantId, 3)
  const [first, second, third] = receiver.requests
  for (const request of [first, second, third]) {
    expect(request?.body).toBe(event?.body)
    expect(request?.headers['webhook-id']).toBe(event?._id)
    expect(request?.headers['x-webhook-delivery']).toBe(first?.headers['x-webhook-delivery'])
    const signature = String(request?.headers['x-webhook-signature'])
    expect(
      await isWebhookBodySignature(signature, { body: request?.body ?? '', secret: webhook.secret }),
    ).toBe(true)
  }
  expect(receiver.requests.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3'])
  const times = receiver.requests.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(Number(times[1]) - Number(times[0])).toBeGreaterThanOrEqual(2)
  const logs = await attempts(webhook._id)
  expect(logs.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 'failed'],
    [2, 'failed'],
    [3, 'success'],
  ])
})

test('after the last retry the delivery stays failed [state.delivery]', async () => {
  const receiver = await openReceiver((_req, res) => res.writeHead(500).end())
  const clock = createTestClock()
  const { addWebhook, emit, attempts, tenantId } = await openTenant()
  const webhook = await addWebhook(receiver.url, { maxRetries: 1, backoffStrategy: 'linear' })
  await startWorker({ clock, pollEveryMs: 10 })
  await emit()
  await resultsOf(tenantId)
  clock.pass(5000)
  expect((await resultsOf(tenantId, 2))[1]).toMatchObject({ status: 'failed', next: null })
  expect((await attempts(webhook._id)).map(({ status }) => status)).toEqual(['failed', 'failed'])
})

test('a 410 deactivates the webhook with an audit entry, and no attempt follows', async () => {
  const receiver = await openReceiver((_req, res) => res.writeHead(410).end())
  const { addWebhook, emit, attempts, store, tenantId } = await openTenant()
  const webhook = await addWebhook(receiver.url)
  await startWorker()
  await emit()
  expect((await resultsOf(tenantId))[0]?.next).toBeNull()
  expect((await store.webhooks.find(webhook._id))?.isActive).toBe(false)
  const { rows } = await store.auditLog.list({ page: 1, limit: 10 })
  expect(rows[0]).toMatchObject({
    action: 'webhook.deactivated',
    actor: { type: 'system' },
    target: { _id: webhook._id },
  })
  await emit()
  expect(await attempts(webhook._id)).toHaveLength(1)
})

test('Retry-After lengthens the wait', async () => {
  const receiver = await openReceiver((_req, res) => res.writeHead(503, { 'retry-after': '60' }).end())
  const { addWebhook, emit, tenantId } = await openTenant()
  await addWebhook(receiver.url)
  await startWorker()
  await emit()
  const [result] = await resultsOf(tenantId)
  expect(Date.parse(result?.next?.nextAttemptAt ?? '') - Date.parse(result?.deliveredAt ?? '')).toBe(60_000)
})

test('a destination that its URL itself blocks is final; a name that resolves to a blocked address is retried', async () => {
  const { addWebhook, emit, tenantId } = await openTenant()
  await addWebhook('https://10.0.0.1/')
  const named = await openTenant()
  await named.addWebhook('https://receiver.test/')
  await startWorker({ sender: openSender({ resolveHost: async () => ['10.0.0.1'] }) })
  await Promise.all([emit(), named.emit()])
  expect((await resultsOf(tenantId))[0]).toMatchObject({
    errorCode: 'BLOCKED',
    remoteAddress: null,
    next: null,
  })
  const [byName] = await resultsOf(named.tenantId)
  expect(byName).toMatchObject({ errorCode: 'BLOCKED', remoteAddress: null })
  expect(byName?.next).not.toBeNull()
})

test('a hanging receiver gets at most 16 requests at once, few at first, and delays no other receiver', async () => {
  const open = new Set<() => void>()
  let most = 0
  const hanging = await openReceiver((_req, res) => {
    open.add(() => res.end())
    most = Math.max(most, open.size)
  })
  const healthy = await openReceiver()
  const { addWebhook, emit } = await openTenant()
  await addWebhook(hanging.url)
  await startWorker()
  await emit(60)
  await hanging.waitFor(4)
  const other = await openTenant()
  await other.addWebhook(healthy.url)
  await other.emit(20)
  await healthy.waitFor(20)
  expect(hanging.requests).toHaveLength(4)
  while (hanging.requests.length < 60) {
    const answered = open.size
    for (const end of open) end()
    open.clear()
    await hanging.waitFor(Math.min(hanging.requests.length + answered, 60))
  }
  expect(most).toBeLessThanOrEqual(16)
  for (const end of open) end()
})

test('slots of hanging receivers are given to others', async () => {
  const hanging = await openReceiver(() => undefined)
  const healthy = await openReceiver()
  const stuck = await openTenant()
  for (let i = 0; i < 4; i++) await stuck.addWebhook(`${hanging.url}/${i}`)
  const other = await openTenant()
  await other.addWebhook(healthy.url)
  await startWorker({ limits: { fresh: 8, freshMax: 8, freshMs: 50 } })
  await stuck.emit(20)
  await hanging.waitFor(8)
  await other.emit(20)
  await healthy.waitFor(20)
  hanging.cutConnections()
})

test('a tenant with a long backlog does not delay another one', async () => {
  const [busy, small] = [await openReceiver(), await openReceiver()]
  const many = await openTenant()
  await many.addWebhook(busy.url)
  await many.emit(2000)
  await startWorker({ limits: { fresh: 4, freshMax: 4, total: 4 } })
  await busy.waitFor(100)
  const other = await openTenant()
  await other.addWebhook(small.url)
  await other.emit(1)
  await small.waitFor(1)
  expect(busy.requests.length).toBeLessThan(1500)
  await busy.waitFor(2000)
})

test('two workers on one storage never send the same attempt twice', async () => {
  const receiver = await openReceiver()
  const { addWebhook, emit, tenantId } = await openTenant()
  await addWebhook(receiver.url)
  await Promise.all([startWorker({ pollEveryMs: 5 }), startWorker({ pollEveryMs: 5 })])
  const events = await emit(200)
  await receiver.waitFor(200)
  await resultsOf(tenantId, 200)
  const got = receiver.requests.map(({ headers }) => headers['webhook-id'])
  expect(new Set(got)).toEqual(new Set(events.map(({ _id }) => _id)))
  expect(got).toHaveLength(200)
})

test('a queue that loses every wake-up delays deliveries and loses none [delivery.atLeastOnce]', async () => {
  const receiver = await openReceiver()
  const { addWebhook, emit } = await openTenant()
  await addWebhook(receiver.url)
  await startWorker({ queue: deafQueue, pollEveryMs: 20 })
  await emit(100)
  await receiver.waitFor(100)
})

test('events that were committed before the start are delivered after it', async () => {
  const receiver = await openReceiver()
  const { addWebhook, emit } = await openTenant()
  await addWebhook(receiver.url)
  await emit(3)
  await startWorker({ pollEveryMs: 3_600_000 })
  await receiver.waitFor(3)
})

test('an inactive webhook gets no event, and continues where it stopped when it is active again', async () => {
  const receiver = await openReceiver((_req, res) =>
    res.writeHead(receiver.requests.length === 1 ? 500 : 200).end(),
  )
  const clock = createTestClock()
  const { addWebhook, emit, setActive, tenantId } = await openTenant()
  const webhook = await addWebhook(receiver.url)
  await startWorker({ clock, pollEveryMs: 10 })
  await emit()
  await resultsOf(tenantId)
  await setActive(webhook._id, false)
  clock.pass(10_000)
  // Another tenant's delivery proves that the worker has polled since.
  const other = await openTenant()
  const witness = await openReceiver()
  await other.addWebhook(witness.url)
  await other.emit()
  await witness.waitFor(1)
  expect(receiver.requests).toHaveLength(1)
  await setActive(webhook._id, true)
  await receiver.waitFor(2)
})

test('a webhook whose secret cannot be opened has failed attempts in its log and delays no other webhook', async () => {
  const receiver = await openReceiver()
  const { addWebhook, emit, tenantId } = await openTenant()
  await addWebhook(receiver.url)
  await startWorker({ secrets: createSecretBox(['another key of at least thirty-two bytes']) })
  await emit()
  const [result] = await resultsOf(tenantId)
  expect(result).toMatchObject({
    status: 'failed',
    statusCode: null,
    error: 'The delivery could not be prepared',
  })
  expect(receiver.requests).toHaveLength(0)
})

test('stop waits for a running attempt and writes its result', async () => {
  const gate = Promise.withResolvers<void>()
  const receiver = await openReceiver((_req, res) => void gate.promise.then(() => res.end()))
  const { addWebhook, emit, attempts } = await openTenant()
  const webhook = await addWebhook(receiver.url)
  const { scheduler } = await startWorker()
  await emit()
  await receiver.waitFor(1)
  const stopped = scheduler.stop()
  gate.resolve()
  await stopped
  expect((await attempts(webhook._id))[0]?.status).toBe('success')
})

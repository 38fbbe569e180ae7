import { setImmediate as nextTick } from 'node:timers/promises'
import { type EventType, Failure, makeEvent } from '@crmkit/core'
import { expect, test } from 'vitest'
import { add } from '../../../test/contracts/storage/samples.contract.ts'
import { createTestClock, useDeliveryHarness } from '../../../test/support/delivery-harness.ts'
import { openCaller } from '../../../test/support/webhook-caller.ts'
import { VersionConflict } from '../../storage/errors.ts'
import { handleCreateWebhook } from './create-webhook.ts'
import { handleGetDeliveryLog, handleListDeliveryLogs } from './read-delivery-logs.ts'
import { handleGetWebhook } from './read-webhooks.ts'
import { handleRecoverDeliveries } from './recover-deliveries.ts'
import { handleRedeliver } from './redeliver.ts'
import { handleRotateWebhookSecret } from './rotate-webhook-secret.ts'
import { handleUpdateWebhook } from './update-webhook.ts'

const harness = useDeliveryHarness()

const codeOf = async (work: Promise<unknown>) => {
  const failure = await work.catch((error: unknown) => error)
  return failure instanceof Failure ? failure.code : failure
}

async function openFailing() {
  let answer = 500
  const receiver = await harness.openReceiver((_req, res) => res.writeHead(answer).end())
  const caller = await openCaller(harness)
  const webhook = await caller.addWebhook(receiver.url, { maxRetries: 0 })
  await harness.startWorker()
  const [event] = await caller.emit()
  await harness.resultsOf(caller.tenantId)
  const [log] = await caller.attempts(webhook._id)
  return {
    ...caller,
    receiver,
    webhook,
    event,
    log,
    params: { id: webhook._id, logId: log?._id ?? '' },
    answerWith: (status: number) => {
      answer = status
    },
  }
}

test('a delivery that failed permanently is sent again with the same id and the next attempt number', async () => {
  const { run, receiver, params, answerWith, tenantId, attempts, event } = await openFailing()
  expect((await run(handleGetDeliveryLog, { params })).reply.data).toMatchObject({ status: 'failed' })
  answerWith(200)
  const { reply, audit } = await run(handleRedeliver, { params })
  expect(reply.data).toMatchObject({ status: 'pending', attempt: 2, eventId: event?._id })
  expect(reply.data._id).toMatch(/^log_[0-9A-HJKMNP-TV-Z]{26}$/)
  expect(audit?.action).toBe('webhook.redelivered')
  await harness.resultsOf(tenantId, 2)
  const [first, second] = receiver.requests.map(({ headers }) => headers)
  expect(second?.['x-webhook-id']).toBe(first?.['x-webhook-id'])
  expect(second?.['x-webhook-delivery']).toBe(first?.['x-webhook-delivery'])
  expect(second?.['x-webhook-attempt']).toBe('2')
  const logs = await attempts(params.id)
  expect(logs.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 'failed'],
    [2, 'success'],
  ])
  // A successful delivery can be sent again too.
  expect((await run(handleRedeliver, { params })).reply.data).toMatchObject({ attempt: 3 })
  await receiver.waitFor(3)
})

test('the log plans no time for the attempts of a webhook that is inactive', async () => {
  const receiver = await harness.openReceiver((_req, res) => res.writeHead(500).end())
  const caller = await openCaller(harness)
  const webhook = await caller.addWebhook(receiver.url, { maxRetries: 3 })
  await harness.startWorker()
  await caller.emit()
  await receiver.waitFor(1)
  await expect.poll(async () => (await caller.attempts(webhook._id)).length).toBe(2)
  const params = { id: webhook._id }
  const plannedTimes = async () => {
    const query = { page: 1, limit: 10 }
    const { reply } = await caller.run(handleListDeliveryLogs, { params, query })
    const pending = reply.data.logs.filter(({ status }) => status === 'pending')
    return pending.map(({ nextAttemptAt }) => nextAttemptAt)
  }
  expect(await plannedTimes()).toEqual([expect.any(String)])
  await caller.setActive(webhook._id, false)
  expect(await plannedTimes()).toEqual([null])
  const [pending] = await caller.attempts(webhook._id)
  const one = { params: { ...params, logId: pending?._id ?? '' } }
  expect((await caller.run(handleGetDeliveryLog, one)).reply.data.nextAttemptAt).toBeNull()
  await caller.setActive(webhook._id, true)
  expect(await plannedTimes()).toEqual([expect.any(String)])
})

test('one of two simultaneous redeliveries plans the attempt, and the other one returns it', async () => {
  const { run, params, store, webhook } = await openFailing()
  const outcomes = await Promise.allSettled([
    run(handleRedeliver, { params }),
    run(handleRedeliver, { params }),
  ])
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused.every((reason) => reason instanceof VersionConflict)).toBe(true)
  const page = await store.attempts.list({ webhookId: webhook._id, page: 1, limit: 10 })
  expect(page.total).toBe(2)
})

test('a redelivery is refused when there is nothing to send, and foreign logs are unknown', async () => {
  const { run, params, webhook, store, addWebhook, receiver, setActive } = await openFailing()
  const other = await addWebhook(receiver.url)
  const foreign = { ...params, id: other._id }
  expect(await codeOf(run(handleRedeliver, { params: foreign }))).toBe('NOT_FOUND')
  expect(await codeOf(run(handleGetDeliveryLog, { params: foreign }))).toBe('NOT_FOUND')
  expect(await codeOf(run(handleRedeliver, { params: { ...params, logId: 'log_x' } }))).toBe('NOT_FOUND')
  await setActive(webhook._id, false)
  expect(await codeOf(run(handleRedeliver, { params }))).toBe('INVALID_STATE')
  await setActive(webhook._id, true)
  const row = await store.attempts.find(params.logId)
  if (row) await store.attempts.record({ ...row, _id: 'log_test', eventId: 'evt_of_a_test' })
  const ofTest = { ...params, logId: 'log_test' }
  expect(await codeOf(run(handleRedeliver, { params: ofTest }))).toBe('CONFLICT')
})

/** Later events have a later time than all earlier ones. */
async function nextMillisecond(): Promise<void> {
  const startedMs = Date.now()
  while (Date.now() === startedMs) await nextTick()
}

// Otherwise `webhook:manage` alone would give access to every event ever sent: change the URL, redeliver the log.
test('events from before a change of URL are not sent to the new one for a caller who may not read them', async () => {
  const { run, params, receiver, emit, attempts } = await openFailing()
  const other = await harness.openReceiver()
  await run(handleUpdateWebhook, { params, body: { url: other.url } })
  const manager = { permissions: ['webhook:manage'] }
  expect(await codeOf(run(handleRedeliver, { params }, manager))).toBe('PERMISSION_DENIED')
  await run(handleRedeliver, { params })
  await other.waitFor(1)
  expect(receiver.requests).toHaveLength(1)
  await nextMillisecond()
  const [later] = await emit()
  await other.waitFor(2)
  const log = (await attempts(params.id)).find(({ eventId }) => eventId === later?._id)
  const { reply } = await run(handleRedeliver, { params: { ...params, logId: log?._id } }, manager)
  expect(reply.data).toMatchObject({ eventId: later?._id })
})

async function openRecovery() {
  const receiver = await harness.openReceiver()
  const caller = await openCaller(harness)
  const body = { name: 'a', url: receiver.url, events: ['customer.created'] as EventType[] }
  const created = (await caller.run(handleCreateWebhook, { body })).reply.data
  const id = created._id
  const recover = async (changes: object = {}) =>
    (await caller.run(handleRecoverDeliveries, { params: { id }, body: { since, ...changes } })).reply.data
  const since = '2020-01-01T00:00:00.000Z'
  const emitAbout = async (
    subjects: string[],
    type: EventType = 'customer.created',
    { count = 1, atMs = Date.now() } = {},
  ) => {
    const events = Array.from({ length: count }, () =>
      makeEvent({
        id: harness.ids.next('evt'),
        type,
        now: new Date(atMs).toISOString(),
        subjects,
        data: { _id: subjects[0] ?? null },
      }),
    )
    await caller.store.commit({ writes: [], events })
    return events
  }
  return { ...caller, receiver, id, recover, emitAbout }
}

test('recover delivers subscribed events that the inactive webhook missed, each once', async () => {
  const { id, setActive, emitAbout, recover, receiver, tenantId } = await openRecovery()
  await setActive(id, false)
  const missed = await emitAbout([], 'customer.created', { count: 5 })
  await emitAbout([], 'message.sent', { count: 2 })
  expect(await codeOf(recover())).toBe('INVALID_STATE')
  await setActive(id, true)
  expect(await recover({ dryRun: true })).toEqual({ matched: 5, created: 0, nextCursor: null })
  expect(await recover()).toEqual({ matched: 5, created: 5, nextCursor: null })
  expect(await recover()).toEqual({ matched: 0, created: 0, nextCursor: null })
  await harness.startWorker()
  await harness.resultsOf(tenantId, 5)
  const got = receiver.requests.map(({ headers }) => headers['webhook-id'])
  expect(new Set(got)).toEqual(new Set(missed.map(({ _id }) => _id)))
  expect(await recover()).toEqual({ matched: 0, created: 0, nextCursor: null })
})

test('recover leaves out erased events and those from before the webhook’s present choice of events', async () => {
  const { id, setActive, emitAbout, recover, run, store } = await openRecovery()
  await setActive(id, false)
  await add(store, 'customers', [{ _id: 'cus_1' }])
  await emitAbout(['cus_1'])
  await emitAbout([])
  const at = new Date().toISOString()
  await store.commit({ writes: [{ op: 'erase', kind: 'customers', id: 'cus_1', at }], events: [] })
  await setActive(id, true)
  expect(await recover({ dryRun: true })).toMatchObject({ matched: 1 })
  await nextMillisecond()
  const events = ['customer.created', 'message.sent']
  await run(handleUpdateWebhook, { params: { id }, body: { events } })
  expect(await recover()).toMatchObject({ matched: 0 })
})

test('recover leaves out events whose logs may be deleted already', async () => {
  const { id, emitAbout, recover, store } = await openRecovery()
  const longAgo = Date.now() - 31 * 86_400_000
  const createdAt = new Date(longAgo - 1000).toISOString()
  const expectVersion = (await store.webhooks.find(id))?.version ?? 0
  const set = { createdAt, events: ['customer.updated'] as EventType[] }
  await store.commit({ writes: [{ op: 'update', kind: 'webhooks', id, expectVersion, set }], events: [] })
  await emitAbout([], 'customer.created', { count: 1, atMs: longAgo })
  await emitAbout([], 'customer.created', { count: 2 })
  const back = { events: ['customer.created'] as EventType[] }
  const write = { op: 'update', kind: 'webhooks', id, expectVersion: expectVersion + 1, set: back } as const
  await store.commit({ writes: [write], events: [] })
  expect(await recover({ dryRun: true })).toMatchObject({ matched: 2 })
})

test('recover continues from its cursor, at most 1,000 events a call, and stops at `until`', async () => {
  const { id, setActive, emitAbout, recover } = await openRecovery()
  await setActive(id, false)
  await emitAbout([], 'customer.created', { count: 1005 })
  await setActive(id, true)
  const first = await recover()
  expect(first).toMatchObject({ matched: 1000, created: 1000, nextCursor: expect.any(String) })
  expect(await recover({ cursor: first.nextCursor })).toEqual({ matched: 5, created: 5, nextCursor: null })
  expect(await recover({ until: '2020-01-02T00:00:00.000Z' })).toMatchObject({ matched: 0 })
  const problem = await recover({ until: '2019-01-01T00:00:00.000Z' }).catch(
    (error: Failure) => error.details,
  )
  expect(problem).toMatchObject([{ field: 'until', in: 'body' }])
})

test('a rotated secret is shown once; a second overlap is refused, an immediate end of the first is not', async () => {
  const { run, addWebhook, store } = await openCaller(harness)
  const webhook = await addWebhook('https://example.com/hook')
  const params = { id: webhook._id }
  const rotate = async (body = {}) => (await run(handleRotateWebhookSecret, { params, body })).reply.data
  const first = await rotate()
  expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(first.secret).not.toBe(webhook.secret)
  const endsInMs = Date.parse(first.previousSecretExpiresAt ?? '') - Date.now()
  expect(Math.round(endsInMs / 3_600_000)).toBe(24)
  expect(JSON.stringify(await store.webhooks.find(webhook._id))).not.toContain('whsec_')
  expect(await codeOf(rotate({ overlapSeconds: 60 }))).toBe('INVALID_STATE')
  const second = await rotate({ overlapSeconds: 0 })
  expect(second).toMatchObject({ previousSecretExpiresAt: null })
  expect(second.secret).not.toBe(first.secret)
  // Other changes keep what the overlap needs.
  await rotate({ overlapSeconds: 60 })
  await run(handleUpdateWebhook, { params, body: { headers: { 'X-Team': 'a' }, name: 'b' } })
  const shown = (await run(handleGetWebhook, { params })).reply.data
  expect(shown.previousSecretExpiresAt).not.toBeNull()
})

test('health shows the results of attempts, and after a 410 why the webhook is inactive', async () => {
  const { run, webhook, answerWith, emit, tenantId } = await openFailing()
  const params = { id: webhook._id }
  const health = async () => (await run(handleGetWebhook, { params })).reply.data.health
  expect(await health()).toMatchObject({ state: 'failing', consecutiveFailures: 1, lastSuccessAt: null })
  answerWith(200)
  await emit()
  await harness.resultsOf(tenantId, 2)
  expect(await health()).toMatchObject({ state: 'healthy', consecutiveFailures: 0, disabledReason: null })
  answerWith(410)
  await emit()
  await harness.resultsOf(tenantId, 3)
  expect(await health()).toMatchObject({ state: 'disabled', disabledReason: 'gone' })
  await run(handleUpdateWebhook, { params, body: { isActive: true } })
  expect(await health()).toMatchObject({ state: 'failing', disabledReason: null })
  await run(handleUpdateWebhook, { params, body: { isActive: false } })
  expect(await health()).toMatchObject({ state: 'disabled', disabledReason: 'manual' })
})

test('7 days without success and with 20 failures deactivate a webhook, and again only after another 7 days', async () => {
  const receiver = await harness.openReceiver((_req, res) => res.writeHead(500).end())
  const caller = await openCaller(harness)
  const { emit, tenantId, store } = caller
  const webhook = await caller.addWebhook(receiver.url, { maxRetries: 0 })
  const clock = createTestClock()
  const { scheduler } = await harness.startWorker({ clock, pollEveryMs: 10 })
  const row = () => store.webhooks.find(webhook._id)
  let count = 0
  const fail = async (times: number) => {
    await emit(times)
    count += times
    await harness.resultsOf(tenantId, count)
  }
  await fail(19)
  clock.pass(7 * 86_400_000)
  await fail(1)
  await expect.poll(async () => (await row())?.isActive).toBe(false)
  expect(await row()).toMatchObject({ disabledReason: 'failing' })
  const { rows } = await store.auditLog.list({ page: 1, limit: 1 })
  expect(rows[0]).toMatchObject({ action: 'webhook.deactivated', actor: { type: 'system' } })
  const later = new Date(clock.nowMs()).toISOString()
  await store.commit({
    writes: [
      {
        op: 'update',
        kind: 'webhooks',
        id: webhook._id,
        expectVersion: (await row())?.version ?? 0,
        set: { isActive: true, disabledReason: null, activeSince: later },
      },
    ],
    events: [],
  })
  await fail(1)
  await scheduler.stop()
  expect((await row())?.isActive).toBe(true)
})

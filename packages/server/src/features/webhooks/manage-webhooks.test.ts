import { Failure, isWebhookBodySignature, type Problem } from '@crmkit/core'
import { expect, test } from 'vitest'
import { useDeliveryHarness } from '../../../test/support/delivery-harness.ts'
import { openCaller } from '../../../test/support/webhook-caller.ts'
import { handleCreateWebhook } from './create-webhook.ts'
import { handleDeleteWebhook } from './delete-webhook.ts'
import { handleListDeliveryLogs } from './read-delivery-logs.ts'
import { handleGetWebhook, handleListWebhooks } from './read-webhooks.ts'
import { handleTestWebhook } from './test-webhook.ts'
import { handleUpdateWebhook } from './update-webhook.ts'

const harness = useDeliveryHarness()
const paging = { page: 1, limit: 20 }

async function problemsOf(work: Promise<unknown>): Promise<Problem[]> {
  const failure = await work.catch((error: unknown) => error)
  if (!(failure instanceof Failure)) throw new Error('Nothing was refused')
  return failure.details as Problem[]
}

const body = { name: 'Orders', url: 'https://example.com/hook', events: ['customer.created'] as const }

test('create shows the secret once, and the row holds neither it nor the headers', async () => {
  const { run, store } = await openCaller(harness)
  const headers = { Authorization: 'Bearer private' }
  const { reply, audit } = await run(handleCreateWebhook, { body: { ...body, headers } })
  const { secret, _id: id } = reply.data
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(reply.data).toMatchObject({
    headers: { Authorization: '••••' },
    isActive: true,
    retryPolicy: { maxRetries: 3, backoffStrategy: 'exponential' },
  })
  expect(audit?.action).toBe('webhook.created')
  const row = await store.webhooks.find(id)
  expect(row?.headers).toEqual({})
  expect(JSON.stringify(row)).not.toMatch(/private|whsec_/)
  const shown = (await run(handleGetWebhook, { params: { id } })).reply.data
  expect(shown.headers).toEqual({ Authorization: '••••' })
  expect(JSON.stringify([shown, reply])).not.toMatch(/private|sealed/)
  expect(JSON.stringify(shown)).not.toMatch(/whsec_/)
})

test('create and update refuse destinations and headers, all problems at once', async () => {
  const { run } = await openCaller(harness)
  const bad = { ...body, url: 'https://10.0.0.1/', headers: { Host: 'a', 'X-Webhook-Id': 'b' } }
  expect(await problemsOf(run(handleCreateWebhook, { body: bad }))).toMatchObject([
    { field: 'url', rule: 'destination', in: 'body' },
    { field: 'headers.Host', rule: 'reserved_header' },
    { field: 'headers.X-Webhook-Id', rule: 'reserved_header' },
  ])
  const { _id: id } = (await run(handleCreateWebhook, { body })).reply.data
  const update = { params: { id }, body: { url: 'http://example.com/' } }
  expect(await problemsOf(run(handleUpdateWebhook, update))).toMatchObject([{ field: 'url', rule: 'url' }])
})

test('a tenant has at most 50 webhooks', async () => {
  const { run, store } = await openCaller(harness)
  for (let i = 0; i < 50; i++) await run(handleCreateWebhook, { body })
  await expect(run(handleCreateWebhook, { body })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await store.webhooks.count()).toBe(50)
})

test('update keeps what is absent, merges the retry policy, and keeps the secret with new headers', async () => {
  const receiver = await harness.openReceiver()
  const { run } = await openCaller(harness)
  const headers = { 'X-Team': 'a' }
  const created = (await run(handleCreateWebhook, { body: { ...body, url: receiver.url, headers } })).reply
    .data
  const params = { id: created._id }
  await run(handleUpdateWebhook, { params, body: { retryPolicy: { maxRetries: 7 } } })
  const renamed = await run(handleUpdateWebhook, {
    params,
    body: { name: 'Renamed', headers: { 'X-Team': 'b' } },
  })
  expect(renamed.reply.data).toMatchObject({
    name: 'Renamed',
    headers: { 'X-Team': '••••' },
    retryPolicy: { maxRetries: 7, backoffStrategy: 'exponential' },
  })
  await run(handleTestWebhook, { params })
  const [request] = receiver.requests
  expect(request?.headers['x-team']).toBe('b')
  const signature = String(request?.headers['x-webhook-signature'])
  const signed = { body: request?.body ?? '', secret: created.secret }
  expect(await isWebhookBodySignature(signature, signed)).toBe(true)
})

test('an update that changes nothing writes nothing', async () => {
  const { run } = await openCaller(harness)
  const { _id: id } = (await run(handleCreateWebhook, { body })).reply.data
  for (const same of [{}, { name: 'Orders', isActive: true }]) {
    const outcome = await run(handleUpdateWebhook, { params: { id }, body: same })
    expect(outcome).not.toHaveProperty('change')
    expect(outcome).not.toHaveProperty('audit')
  }
})

test('delete removes the webhook permanently, and every operation on it is then NOT_FOUND [webhooks.delete]', async () => {
  const { run } = await openCaller(harness)
  const { _id: id } = (await run(handleCreateWebhook, { body })).reply.data
  expect((await run(handleDeleteWebhook, { params: { id } })).audit?.action).toBe('webhook.deleted')
  const input = { params: { id }, query: paging }
  const outcomes = [
    run(handleGetWebhook, input),
    run(handleUpdateWebhook, input),
    run(handleDeleteWebhook, input),
    run(handleTestWebhook, input),
    run(handleListDeliveryLogs, input),
  ]
  for (const outcome of outcomes) await expect(outcome).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('list filters by activity and shows the names of headers', async () => {
  const { run } = await openCaller(harness)
  const { _id: id } = (await run(handleCreateWebhook, { body: { ...body, headers: { 'X-A': 'b' } } })).reply
    .data
  await run(handleCreateWebhook, { body })
  await run(handleUpdateWebhook, { params: { id }, body: { isActive: false } })
  const { data } = (await run(handleListWebhooks, { query: { ...paging, isActive: false } })).reply
  expect(data).toMatchObject({
    total: 1,
    page: 1,
    limit: 20,
    totalPages: 1,
    webhooks: [{ _id: id, headers: { 'X-A': '••••' } }],
  })
})

test('test makes one attempt, also when inactive, logs it, and masks own headers in its reply [webhooks.test]', async () => {
  const receiver = await harness.openReceiver((_req, res) => res.writeHead(500).end('private'))
  const { run } = await openCaller(harness)
  const headers = { Authorization: 'Bearer private' }
  const { _id: id } = (await run(handleCreateWebhook, { body: { ...body, url: receiver.url, headers } }))
    .reply.data
  await run(handleUpdateWebhook, { params: { id }, body: { isActive: false } })
  const { reply, change } = await run(handleTestWebhook, { params: { id } })
  expect(change).toBeUndefined()
  expect(receiver.requests).toHaveLength(1)
  expect(receiver.requests[0]?.headers.authorization).toBe('Bearer private')
  const sent = JSON.parse(receiver.requests[0]?.body ?? '')
  expect(sent).toMatchObject({ event: 'webhook.test', data: { webhookId: id, name: 'Orders' } })
  expect(reply).toMatchObject({
    message: 'Test event sent',
    data: { status: 'failed', statusCode: 500, nextAttemptAt: null },
  })
  expect(reply.data.request).toMatchObject({
    method: 'POST',
    url: receiver.url,
    headers: { Authorization: '••••' },
  })
  expect(reply.data.request.headers['X-Webhook-Id']).toBe(sent.id)
  expect(JSON.stringify(reply)).not.toContain('private')
  const { data } = (await run(handleListDeliveryLogs, { params: { id }, query: paging })).reply
  expect(data.logs).toHaveLength(1)
  expect(data.logs[0]).toMatchObject({
    _id: reply.data._id,
    event: 'webhook.test',
    attempt: 1,
    errorCode: 'STATUS',
  })
})

test('logs are filtered by status and paged', async () => {
  const receiver = await harness.openReceiver()
  const { run } = await openCaller(harness)
  const { _id: id } = (await run(handleCreateWebhook, { body: { ...body, url: receiver.url } })).reply.data
  for (let i = 0; i < 3; i++) await run(handleTestWebhook, { params: { id } })
  const list = (query: object) =>
    run(handleListDeliveryLogs, { params: { id }, query: { ...paging, ...query } })
  expect((await list({ status: 'failed' })).reply.data).toMatchObject({ total: 0, logs: [] })
  const first = (await list({ status: 'success', limit: 2 })).reply.data
  expect(first).toMatchObject({ total: 3, totalPages: 2 })
  const second = (await list({ status: 'success', limit: 2, cursor: first.nextCursor })).reply.data
  expect(new Set([...first.logs, ...second.logs].map((log) => log._id)).size).toBe(3)
})

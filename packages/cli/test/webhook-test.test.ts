import { expect, it } from 'vitest'
import { makeMachine } from './support/run-crm.ts'
import { startStub, success } from './support/stub-server.ts'

const delivered = {
  _id: 'log_1',
  webhookId: 'whk_1',
  event: 'webhook.test',
  status: 'success',
  statusCode: 204,
  attempt: 1,
  deliveredAt: '2026-01-02T03:04:05.678Z',
  responseTime: 34.26,
  error: null as string | null,
  errorCode: null as string | null,
  eventId: 'evt_1',
  deliveryId: 'dlv_1',
  nextAttemptAt: null,
  timings: { dns: 1, connect: 2.04, tls: 12, firstByte: 33, total: 34.26 },
  remoteAddress: '203.0.113.7',
  createdAt: '2026-01-02T03:04:05.678Z',
  request: {
    method: 'POST',
    url: 'https://shop.test/hook?a=1',
    headers: { 'Content-Type': 'application/json', 'X-Webhook-Event': 'webhook.test', 'X-Own': '••••' },
  },
}

async function runTest(data: object, flags: readonly string[] = []) {
  const response = success(data, { message: 'Test event sent' })
  const stub = await startStub({ 'POST /api/v1/webhooks/whk_1/test': () => response })
  const env = { CRM_API_KEY: 'sk_test_x', CRM_BASE_URL: stub.baseUrl }
  return makeMachine().run(['webhooks', 'test', 'whk_1', ...flags], { env })
}

it('shows the attempt: request line, headers, status and timings', async () => {
  const run = await runTest(delivered)
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toBe(`POST /hook?a=1 HTTP/1.1
Host: shop.test
Content-Type: application/json
X-Webhook-Event: webhook.test
X-Own: ••••

success: status 204 from 203.0.113.7 in 34.3 ms
Timings: dns 1 ms, connect 2 ms, tls 12 ms, first byte 33 ms, total 34.3 ms
`)
})

const failed = {
  ...delivered,
  status: 'failed',
  statusCode: null,
  error: 'The connection was refused',
  errorCode: 'CONNECT',
  timings: { dns: 1, connect: null, tls: null, firstByte: null, total: 2 },
}

it('ends with 1 when the delivery failed, and says why', async () => {
  const run = await runTest(failed)
  expect(run.code).toBe(1)
  expect(run.stdout).toContain('failed: no response')
  expect(run.stdout).toContain('Error: The connection was refused (CONNECT)\nTimings: dns 1 ms, total 2 ms\n')
})

it('gives the whole attempt with --json, with the same exit code', async () => {
  const run = await runTest(failed, ['--json'])
  expect(run.code).toBe(1)
  expect(JSON.parse(run.stdout)).toEqual(failed)
})

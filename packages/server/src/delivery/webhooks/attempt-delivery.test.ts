import {
  isStandardWebhookSignature,
  isWebhookBodySignature,
  newWebhookSecret,
  type RotatingSecret,
} from '@crmkit/core'
import { expect, test } from 'vitest'
import { useSenderHarness } from '../../../test/support/sender-harness.ts'
import type { HttpSender } from '../../ports/http-sender.ts'
import { createSecretBox } from '../../security/secret-box.ts'
import { attemptDelivery, nextAttemptAtMs } from './attempt-delivery.ts'
import { sealWebhook } from './seal-webhook.ts'

const { openReceiver, openSender } = useSenderHarness()
const secrets = createSecretBox(['a key of at least thirty-two bytes!!'])
const secret = newWebhookSecret()

function webhookTo(url: string, headers: Record<string, string> = {}, signing: RotatingSecret = { secret }) {
  const now = '2026-11-21T09:30:00.000Z'
  const retryPolicy = { maxRetries: 3, backoffStrategy: 'exponential' as const }
  const webhook = {
    _id: 'whk_1',
    tenantId: 'ten_1',
    name: 'a',
    url,
    events: [],
    isActive: true,
    headers,
    retryPolicy,
  }
  return sealWebhook(secrets, { ...webhook, createdAt: now, updatedAt: now }, signing)
}

const event = {
  _id: 'evt_1',
  type: 'customer.created',
  body: '{"id":"evt_1","data":{"name":"Zoë \\u2028 </script>"}}',
}

test('sends exactly the promised headers, in their order, and both signatures verify [delivery.headers delivery.signature]', async () => {
  const receiver = await openReceiver()
  const clock = { nowMs: () => 1_700_000_000_999 }
  const parts = { sender: openSender(), secrets, checkDestination: () => undefined, clock, version: '1.2.3' }
  const webhook = webhookTo(receiver.url, { Authorization: 'Bearer own', 'X-Team': 'support' })
  await attemptDelivery(parts, { webhook, event, deliveryId: 'dlv_1', attempt: 2 })
  const [got] = receiver.requests
  expect(got?.headerNames).toEqual([
    'Content-Type',
    'User-Agent',
    'Authorization',
    'X-Team',
    'X-Webhook-Signature',
    'X-Webhook-Id',
    'X-Webhook-Event',
    'X-Webhook-Delivery',
    'X-Webhook-Attempt',
    'X-Webhook-Timestamp',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'Host',
    'Connection',
    'Content-Length',
  ])
  expect(got?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'crmkit/1.2.3',
    authorization: 'Bearer own',
    'x-webhook-id': 'evt_1',
    'x-webhook-event': 'customer.created',
    'x-webhook-delivery': 'dlv_1',
    'x-webhook-attempt': '2',
    'x-webhook-timestamp': '1700000000',
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1700000000',
  })
  expect(got?.body).toBe(event.body)
  const { body = '', headers = {} } = got ?? {}
  expect(await isWebhookBodySignature(String(headers['x-webhook-signature']), { body, secret })).toBe(true)
  const standard = { id: 'evt_1', timestamp: 1_700_000_000, body, secret }
  expect(await isStandardWebhookSignature(String(headers['webhook-signature']), standard)).toBe(true)
})

test('sends no event that was erased since it was planned, and never retries it', async () => {
  const receiver = await openReceiver()
  const clock = { nowMs: () => 5 }
  const parts = { sender: openSender(), secrets, checkDestination: () => undefined, clock, version: '1.2.3' }
  const body = JSON.stringify({
    id: 'evt_1',
    event: 'x',
    timestamp: 't',
    data: { _id: 'cus_1', erased: true },
  })
  const webhook = webhookTo(receiver.url)
  const delivery = { webhook, event: { ...event, body }, deliveryId: 'dlv_1', attempt: 1 }
  const { result, endedMs } = await attemptDelivery(parts, delivery)
  expect(receiver.requests).toEqual([])
  expect(result).toMatchObject({ statusCode: null, errorCode: 'ERASED', error: expect.any(String) })
  const failed = { result, endedMs, attempt: 1, policy: webhook.retryPolicy, isBlockedLiterally: false }
  expect(nextAttemptAtMs(failed)).toBeNull()
})

test('gives the receiver five seconds [delivery.timeout limit.responseTime]', async () => {
  let timeoutMs = 0
  const sender: HttpSender = {
    ...openSender(),
    post: async (request) => {
      timeoutMs = request.timeoutMs
      return { ...answered, statusCode: 200, retryAfterMs: null }
    },
  }
  const parts = {
    sender,
    secrets,
    checkDestination: () => undefined,
    clock: { nowMs: Date.now },
    version: '1.2.3',
  }
  const webhook = webhookTo('https://receiver.test/')
  await attemptDelivery(parts, { webhook, event, deliveryId: 'dlv_1', attempt: 1 })
  expect(timeoutMs).toBe(5000)
})

test('during the overlap of a rotation both secrets verify, and the old one keeps its header', async () => {
  const receiver = await openReceiver()
  let nowMs = 1_700_000_000_000
  const clock = { nowMs: () => nowMs }
  const parts = { sender: openSender(), secrets, checkDestination: () => undefined, clock, version: '1.2.3' }
  const newSecret = newWebhookSecret()
  const previous = { secret, validUntil: new Date(nowMs + 5000).toISOString() }
  const webhook = webhookTo(receiver.url, {}, { secret: newSecret, previous })
  await attemptDelivery(parts, { webhook, event, deliveryId: 'dlv_1', attempt: 1 })
  nowMs += 5000
  await attemptDelivery(parts, { webhook, event, deliveryId: 'dlv_1', attempt: 2 })
  const [during, after] = receiver.requests.map(({ headers, body }) => {
    const header = (name: string) => String(headers[name])
    const standard = { id: 'evt_1', timestamp: Number(header('webhook-timestamp')), body }
    return {
      standard: (key: string) =>
        isStandardWebhookSignature(header('webhook-signature'), { ...standard, secret: key }),
      body: (key: string) => isWebhookBodySignature(header('x-webhook-signature'), { body, secret: key }),
      next: (key: string) =>
        isWebhookBodySignature(header('x-webhook-signature-next'), { body, secret: key }),
    }
  })
  expect(await Promise.all([during?.standard(secret), during?.standard(newSecret)])).toEqual([true, true])
  expect(await Promise.all([during?.body(secret), during?.next(newSecret)])).toEqual([true, true])
  expect(await Promise.all([after?.standard(secret), after?.standard(newSecret)])).toEqual([false, true])
  expect(await Promise.all([after?.body(newSecret), after?.next(newSecret)])).toEqual([true, false])
})

const answered = {
  errorCode: 'STATUS' as const,
  error: 'no',
  timings: { dns: null, connect: null, tls: null, firstByte: null, total: 1 },
  remoteAddress: null,
}

interface FailedAttempt {
  attempt?: number
  statusCode?: number
  retryAfterMs?: number
  isBlockedLiterally?: boolean
  linear?: boolean
  maxRetries?: number
}

function waitAfter(changes: FailedAttempt) {
  const {
    attempt = 1,
    statusCode = 500,
    retryAfterMs = null,
    isBlockedLiterally = false,
    linear,
    maxRetries = 3,
  } = changes
  const policy = { maxRetries, backoffStrategy: linear ? ('linear' as const) : ('exponential' as const) }
  const result = { ...answered, statusCode, retryAfterMs }
  const atMs = nextAttemptAtMs({ result, endedMs: 1000, attempt, policy, isBlockedLiterally })
  return atMs === null ? null : atMs - 1000
}

test('waits 2, 4, 8 … s or 5, 10, 15 … s after the end of an attempt, and ends after the last retry', () => {
  expect([1, 2, 3, 4].map((attempt) => waitAfter({ attempt }))).toEqual([2000, 4000, 8000, null])
  expect([1, 2, 3, 4].map((attempt) => waitAfter({ attempt, linear: true }))).toEqual([
    5000,
    10_000,
    15_000,
    null,
  ])
  expect(waitAfter({ maxRetries: 0 })).toBeNull()
})

test('Retry-After makes a wait longer, never shorter, and never adds an attempt', () => {
  expect(waitAfter({ statusCode: 503, retryAfterMs: 60_000 })).toBe(60_000)
  expect(waitAfter({ statusCode: 429, retryAfterMs: 1 })).toBe(2000)
  expect(waitAfter({ statusCode: 503, retryAfterMs: 60_000, attempt: 4 })).toBeNull()
})

test('a 410 and a destination that its URL itself blocks are final', () => {
  expect(waitAfter({ statusCode: 410 })).toBeNull()
  expect(waitAfter({ isBlockedLiterally: true })).toBeNull()
})

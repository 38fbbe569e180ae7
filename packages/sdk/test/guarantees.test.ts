// Each test covers a defect of at least one well-known SDK, against a real server that misbehaves. `docs/sdk.md`
// compares the SDKs and names these tests.
import { getEventListeners } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Crm, CrmError, NotFoundError, RateLimitError, TimeoutError } from '../src/index.ts'
import { fakeClock, makeEvent, signedDelivery, signedRequest, testSecret } from '../src/testing/index.ts'
import { unwrapWebhook, verifyWebhook, type WebhookInput } from '../src/webhooks/index.ts'
import {
  type Behaviour,
  ok,
  refuse,
  resetConnection,
  scriptedServer,
  stallAfterHeaders,
} from './support/scripted-server.ts'

const apiKey = 'sk_live_secret'

async function failureOf(call: PromiseLike<unknown>): Promise<{ error: CrmError; tookMs: number }> {
  const startedAt = performance.now()
  try {
    await call
  } catch (error) {
    if (error instanceof CrmError) return { error, tookMs: performance.now() - startedAt }
    throw error
  }
  throw new Error('The call did not fail')
}

describe('time', () => {
  it('a body that stalls after the headers ends at the deadline', async () => {
    const { baseUrl } = await scriptedServer(stallAfterHeaders)
    const { error, tookMs } = await failureOf(new Crm({ baseUrl, apiKey, deadline: 300 }).customers.get('a'))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ scope: 'deadline' })
    expect(tookMs).toBeLessThan(10_000)
  })

  it('a body that drips endlessly ends at the deadline', async () => {
    const { baseUrl } = await scriptedServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    const { tookMs } = await failureOf(new Crm({ baseUrl, apiKey, deadline: 300 }).customers.get('a'))
    expect(tookMs).toBeLessThan(10_000)
  })

  it('Retry-After: 3600 does not hang for an hour', async () => {
    const { baseUrl, seen } = await scriptedServer(
      refuse(429, 'RATE_LIMIT_EXCEEDED', { headers: { 'retry-after': '3600' } }),
    )
    const { error, tookMs } = await failureOf(new Crm({ baseUrl, apiKey }).customers.get('a'))
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfterMs: 3_600_000 })
    expect(tookMs).toBeLessThan(10_000)
    expect(seen).toHaveLength(1)
  })

  it('3,000 calls leave no listener on a long-lived signal', async () => {
    const { baseUrl, seen } = await scriptedServer(ok({}))
    const { signal } = new AbortController()
    const crm = new Crm({ baseUrl, apiKey })
    for (let i = 0; i < 3000; i += 30) {
      await Promise.all(Array.from({ length: 30 }, () => crm.customers.get('a', { signal })))
    }
    expect(seen).toHaveLength(3000)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })
})

describe('attempts', () => {
  it('maxRetries: 0 is one request', async () => {
    const { baseUrl, seen } = await scriptedServer(resetConnection)
    await failureOf(new Crm({ baseUrl, apiKey, maxRetries: 0 }).customers.create({ firstName: 'Ada' }))
    expect(seen).toHaveLength(1)
  })

  it('a 404 is one request', async () => {
    const { baseUrl, seen } = await scriptedServer(refuse(404, 'NOT_FOUND'))
    const { error } = await failureOf(new Crm({ baseUrl, apiKey }).customers.get('a'))
    expect(error).toBeInstanceOf(NotFoundError)
    expect(seen).toHaveLength(1)
  })

  it('the idempotency key is the same on every attempt, and another one for the next call', async () => {
    const busy = refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '0' } })
    const { baseUrl, seen } = await scriptedServer(busy, resetConnection, ok({}), ok({}))
    const crm = new Crm({ baseUrl, apiKey })
    await crm.customers.create({ firstName: 'Ada' })
    await crm.customers.create({ firstName: 'Ada' })
    const [first, second, third, other] = seen.map(({ headers }) => headers['idempotency-key'])
    expect(first).toBeTruthy()
    expect([second, third]).toEqual([first, first])
    expect(other).not.toBe(first)
  })

  it('a call whose first attempt is still running waits for its response', async () => {
    const inProgress = refuse(409, 'IDEMPOTENCY_IN_PROGRESS', { headers: { 'retry-after': '0' } })
    const { baseUrl, seen } = await scriptedServer(inProgress, ok({ _id: 'cus_1' }))
    const customer = await new Crm({ baseUrl, apiKey }).customers.create({ firstName: 'Ada' })
    expect(customer._id).toBe('cus_1')
    expect(seen).toHaveLength(2)
  })

  it('a DELETE whose response was lost succeeds when its retry finds nothing', async () => {
    const { baseUrl, seen } = await scriptedServer(resetConnection, refuse(404, 'NOT_FOUND'))
    expect(await new Crm({ baseUrl, apiKey }).customers.delete('a')).toMatchObject({ success: true })
    expect(seen).toHaveLength(2)
  })

  it('an error lists every attempt with its outcome and time', async () => {
    const busy = refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '0' } })
    const { baseUrl } = await scriptedServer(busy, refuse(500, 'INTERNAL_ERROR'), resetConnection)
    const { error } = await failureOf(new Crm({ baseUrl, apiKey }).customers.get('a'))
    expect(error.attempts).toEqual([
      { status: 503, outcome: 'SERVICE_UNAVAILABLE', endedAfterMs: expect.any(Number) },
      { status: 500, outcome: 'INTERNAL_ERROR', endedAfterMs: expect.any(Number) },
      { outcome: 'CONNECTION', endedAfterMs: expect.any(Number) },
    ])
  })

  it('an interceptor installed after the client still sees requests', async () => {
    const { baseUrl } = await scriptedServer(ok({}))
    const crm = new Crm({ baseUrl, apiKey })
    const { fetch } = globalThis
    onTestFinished(() => {
      globalThis.fetch = fetch
    })
    const seen: string[] = []
    globalThis.fetch = (input, init) => {
      seen.push(String(input))
      return fetch(input, init)
    }
    await crm.customers.get('a')
    expect(seen).toEqual([`${baseUrl}/api/v1/customers/a`])
  })
})

describe('lists', () => {
  it('a list sends nothing before its first use, and iterating does not fetch the first page twice', async () => {
    const page: Behaviour = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"success":true,"data":[],"pagination":{"total":0,"nextCursor":null}}')
    }
    const { baseUrl, seen } = await scriptedServer(page)
    const list = new Crm({ baseUrl, apiKey }).customers.list()
    expect(seen).toHaveLength(0)
    expect(await list.toArray()).toEqual([])
    expect(seen).toHaveLength(1)
  })
})

describe('errors', () => {
  it('a message ends with the request id, contains no secret and gives advice', async () => {
    const { baseUrl } = await scriptedServer(refuse(401, 'API_KEY_EXPIRED'))
    const { error } = await failureOf(new Crm({ baseUrl, apiKey }).customers.get('a'))
    expect(error.message).toMatch(/Create a new key.* \[request req_00000001\]$/)
    expect(error.stack).not.toContain(apiKey)
  })
})

describe('webhooks', () => {
  const secrets = testSecret
  const codeOf = (input: WebhookInput, options = {}) =>
    verifyWebhook(input, { secrets, ...options }).then(
      () => 'accepted',
      ({ code }) => code,
    )

  it('a webhook dated in the future is refused', async () => {
    const clock = fakeClock()
    const delivery = await signedDelivery(makeEvent('user.created'), { now: clock.now })
    expect(await codeOf(delivery, { now: clock.now })).toBe('accepted')
    clock.advance(-301_000)
    expect(await codeOf(delivery, { now: clock.now })).toBe('too_new')
  })

  it('two secrets are accepted during a rotation, on both sides of it', async () => {
    const current = 'whsec_Y3VycmVudCBzZWNyZXQ='
    const event = makeEvent('user.created')
    // The receiver has both, the sender one; then the other way round.
    expect(await codeOf(await signedDelivery(event), { secrets: [current, testSecret] })).toBe('accepted')
    const both = await signedDelivery(event, { secret: [testSecret, current] })
    expect(await codeOf(both, { secrets: testSecret })).toBe('accepted')
    expect(await codeOf(both, { secrets: current })).toBe('accepted')
    expect(await codeOf(await signedDelivery(event), { secrets: current })).toBe('mismatch')
  })

  it('a consumed body is reported as such, and not as a wrong signature', async () => {
    const request = await signedRequest(makeEvent('user.created'))
    await request.text()
    expect(await codeOf(request)).toBe('body_already_parsed')
    const codes: string[] = []
    const server = createServer(async (req, res) => {
      for await (const _ of req);
      codes.push(await codeOf(req))
      res.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      ...(await signedDelivery(makeEvent('user.created'))),
    })
    expect(codes).toEqual(['body_already_parsed'])
  })

  it('a stripped signature is not replaced by the weaker one', async () => {
    const { body, headers } = await signedDelivery(makeEvent('user.created'))
    const { 'webhook-id': _, 'webhook-timestamp': __, 'webhook-signature': ___, ...rest } = headers
    expect(rest['x-webhook-signature']).toBeTruthy()
    expect(await codeOf({ body, headers: rest })).toBe('missing_header')
  })

  it('nothing is parsed before it is verified', async () => {
    const delivery = await signedDelivery('not json', { secret: 'whsec_b3RoZXI=' })
    await expect(unwrapWebhook(delivery, { secrets })).rejects.toMatchObject({ code: 'mismatch' })
  })

  it('an event of an unknown type arrives as unknown, with its name and its data', async () => {
    const future = {
      id: 'evt_1',
      event: 'robot.built',
      timestamp: '2030-01-01T00:00:00.000Z',
      data: { a: 1 },
    }
    const event = await unwrapWebhook(await signedRequest(future), { secrets })
    expect(event).toMatchObject({ event: 'unknown', eventName: 'robot.built', data: { a: 1 } })
  })
})

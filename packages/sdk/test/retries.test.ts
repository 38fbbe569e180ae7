import { describe, expect, it, vi } from 'vitest'
import {
  ConflictError,
  ConnectionError,
  Crm,
  NotFoundError,
  RateLimitError,
  ServerError,
} from '../src/index.ts'
import {
  neverRespond,
  ok,
  refuse,
  resetConnection,
  respondWith,
  scriptedServer,
} from './support/scripted-server.ts'

const apiKey = 'sk_live_secret'
const customer = { _id: 'cus_1' }
const unavailable = refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '0' } })
const gone = refuse(404, 'NOT_FOUND')

function keysOf(seen: { headers: Record<string, unknown> }[]): unknown[] {
  return seen.map(({ headers }) => headers['idempotency-key'])
}

describe('retries', () => {
  it('repeats a POST with the same Idempotency-Key and the same body on every attempt', async () => {
    const { baseUrl, seen } = await scriptedServer(unavailable, resetConnection, ok(customer))
    const crm = new Crm({ baseUrl, apiKey })
    expect(await crm.customers.create({ firstName: 'Ada' })).toEqual(customer)
    expect(seen.map(({ body }) => body)).toEqual(Array(3).fill('{"firstName":"Ada"}'))
    const [first, ...others] = keysOf(seen)
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(others).toEqual([first, first])
  })

  it('makes a new Idempotency-Key for each call, and uses the caller’s own', async () => {
    const { baseUrl, seen } = await scriptedServer(ok(customer))
    const crm = new Crm({ baseUrl, apiKey })
    await crm.customers.create({ firstName: 'Ada' })
    await crm.customers.create({ firstName: 'Ada' })
    await crm.customers.create({ firstName: 'Ada' }, { idempotencyKey: 'import-7' })
    const [first, second, third] = keysOf(seen)
    expect(first).not.toBe(second)
    expect(third).toBe('import-7')
  })

  it.each([408, 425, 429, 500, 502, 503, 504])('retries after %i', async (status) => {
    const { baseUrl, seen } = await scriptedServer(
      respondWith(status, 'a proxy speaking', { 'retry-after': '0' }),
      ok(customer),
    )
    expect(await new Crm({ baseUrl, apiKey }).customers.get('cus_1')).toEqual(customer)
    expect(seen).toHaveLength(2)
  })

  it.each([400, 401, 403, 404, 409, 413, 415, 422, 501])('does not retry after %i', async (status) => {
    const { baseUrl, seen } = await scriptedServer(respondWith(status, 'no'))
    await expect(new Crm({ baseUrl, apiKey }).customers.get('cus_1')).rejects.toMatchObject({ status })
    expect(seen).toHaveLength(1)
  })

  it('retries after a broken connection, and reports every attempt when all break', async () => {
    const { baseUrl, seen } = await scriptedServer(resetConnection)
    const error = await new Crm({ baseUrl, apiKey, maxRetries: 1 }).customers.get('cus_1').catch((e) => e)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'CONNECTION',
      'CONNECTION',
    ])
    expect(seen).toHaveLength(2)
  })

  it('retries an attempt that timed out', async () => {
    const { baseUrl, seen } = await scriptedServer(neverRespond, ok(customer))
    expect(await new Crm({ baseUrl, apiKey, timeout: 1000 }).customers.get('cus_1')).toEqual(customer)
    expect(seen).toHaveLength(2)
  })

  it('makes exactly one request with maxRetries 0, for the client or for one call', async () => {
    const { baseUrl, seen } = await scriptedServer(unavailable)
    await expect(new Crm({ baseUrl, apiKey, maxRetries: 0 }).customers.get('a')).rejects.toBeInstanceOf(
      ServerError,
    )
    expect(seen).toHaveLength(1)
    await expect(new Crm({ baseUrl, apiKey }).customers.get('a', { maxRetries: 0 })).rejects.toBeInstanceOf(
      ServerError,
    )
    expect(seen).toHaveLength(2)
  })

  it('stops after maxRetries and throws the last response', async () => {
    const { baseUrl, seen } = await scriptedServer(unavailable)
    const error = await new Crm({ baseUrl, apiKey }).customers.get('a').catch((e) => e)
    expect(seen).toHaveLength(3)
    expect(error.attempts).toHaveLength(3)
    expect(error.attempts[0]).toMatchObject({ status: 503, outcome: 'SERVICE_UNAVAILABLE' })
  })

  it('retries while a request with the same Idempotency-Key is running', async () => {
    const busy = refuse(409, 'IDEMPOTENCY_IN_PROGRESS', { headers: { 'retry-after': '0' } })
    const { baseUrl, seen } = await scriptedServer(busy, ok(customer))
    expect(await new Crm({ baseUrl, apiKey }).customers.create({ firstName: 'Ada' })).toEqual(customer)
    expect(seen).toHaveLength(2)
  })

  it('does not retry any other conflict', async () => {
    const { baseUrl, seen } = await scriptedServer(refuse(409, 'CONFLICT'))
    await expect(new Crm({ baseUrl, apiKey }).webhooks.get('whk_1')).rejects.toBeInstanceOf(ConflictError)
    expect(seen).toHaveLength(1)
  })

  it('does not retry a registration whose response was lost, because the service stores no key for it', async () => {
    const { baseUrl, seen } = await scriptedServer(resetConnection)
    const body = { tenantName: 'Acme', email: 'ada@example.com', password: 'a long password' }
    await expect(new Crm({ baseUrl }).auth.register(body)).rejects.toBeInstanceOf(ConnectionError)
    expect(seen).toHaveLength(1)
    expect(keysOf(seen)).toEqual([undefined])
  })
})

describe('waiting', () => {
  it('waits as long as Retry-After says, in seconds', async () => {
    const busy = refuse(429, 'RATE_LIMIT_EXCEEDED', { headers: { 'retry-after': '1' } })
    const { baseUrl } = await scriptedServer(busy, ok(customer))
    const startedAt = performance.now()
    await new Crm({ baseUrl, apiKey }).customers.get('a')
    const waitedMs = performance.now() - startedAt
    expect(waitedMs).toBeGreaterThanOrEqual(995)
    expect(waitedMs).toBeLessThan(10_000)
  })

  it('throws immediately for a Retry-After above a minute', async () => {
    const { baseUrl, seen } = await scriptedServer(
      refuse(429, 'RATE_LIMIT_EXCEEDED', { headers: { 'retry-after': '61' } }),
    )
    const error = await new Crm({ baseUrl, apiKey }).customers.get('a').catch((e) => e)
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error.retryAfterMs).toBe(61_000)
    expect(seen).toHaveLength(1)
  })

  it('understands a Retry-After that is a date', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString()
    const { baseUrl } = await scriptedServer(
      refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': date } }),
    )
    const error = await new Crm({ baseUrl, apiKey }).customers.get('a').catch((e) => e)
    expect(error.retryAfterMs).toBeGreaterThan(3_590_000)
    expect(error.retryAfterMs).toBeLessThanOrEqual(3_600_000)
  })

  it('throws the last response instead of waiting beyond the deadline', async () => {
    const busy = refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '5' } })
    const { baseUrl, seen } = await scriptedServer(busy)
    const startedAt = performance.now()
    await expect(new Crm({ baseUrl, apiKey, deadline: 2000 }).customers.get('a')).rejects.toBeInstanceOf(
      ServerError,
    )
    expect(performance.now() - startedAt).toBeLessThan(4_500)
    expect(seen).toHaveLength(1)
  })
})

describe('a repeated DELETE', () => {
  it('has succeeded when a 404 follows an attempt without a response', async () => {
    const { baseUrl, seen } = await scriptedServer(resetConnection, gone)
    const reply = await new Crm({ baseUrl, apiKey }).customers.delete('cus_1')
    expect(reply.success).toBe(true)
    expect(seen).toHaveLength(2)
  })

  it('has failed when the first response is 404', async () => {
    const { baseUrl } = await scriptedServer(gone)
    await expect(new Crm({ baseUrl, apiKey }).customers.delete('cus_1')).rejects.toBeInstanceOf(NotFoundError)
  })

  it('has failed when the attempt before the 404 was refused unread', async () => {
    const busy = refuse(429, 'RATE_LIMIT_EXCEEDED', { headers: { 'retry-after': '0' } })
    const { baseUrl } = await scriptedServer(busy, gone)
    await expect(new Crm({ baseUrl, apiKey }).customers.delete('cus_1')).rejects.toBeInstanceOf(NotFoundError)
  })

  it('has failed when the operation returns a resource', async () => {
    const { baseUrl } = await scriptedServer(resetConnection, gone)
    const call = new Crm({ baseUrl, apiKey }).conversations.removeLabels('con_1', { labels: ['vip'] })
    await expect(call).rejects.toBeInstanceOf(NotFoundError)
  })
})

it('looks fetch up at every attempt, so that an interceptor that comes later is used', async () => {
  const { baseUrl } = await scriptedServer(ok(customer))
  const crm = new Crm({ baseUrl, apiKey })
  const spy = vi.spyOn(globalThis, 'fetch')
  try {
    await crm.customers.get('cus_1')
    expect(spy).toHaveBeenCalledTimes(1)
  } finally {
    spy.mockRestore()
  }
})

import { setImmediate as nextTick } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'

let running: RunningService

beforeAll(async () => {
  running = await startService()
})
afterAll(() => running.stop())

const analytics = '/api/v1/analytics'
const currentMonth = () => new Date().toISOString().slice(0, 7)

function monthsAgo(months: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7)
}

async function newTenant() {
  const { token, tenant } = await registerTenant(running.url)
  const get = (path: string, as: string = token) =>
    call(running.url, { path: `${analytics}${path}`, token: as })
  return {
    token,
    tenantId: tenant._id as TenantId,
    get,
    data: async (path: string) => (await get(path)).body.data,
  }
}

/** Repeats a read until it has the expected number of requests, for at most the time that figures may be late. */
async function within2s<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  const endMs = Date.now() + 2000
  let value = await read()
  while (!isDone(value) && Date.now() < endMs) {
    await nextTick()
    value = await read()
  }
  return value
}

interface Usage {
  usage: {
    totalRequests: number
    requestsByEndpoint: Record<string, number>
    requestsByMethod: Record<string, number>
  }
}

describe('the usage of a month', () => {
  it('counts each request of sessions and keys once, by path template and method, within two seconds', async () => {
    const { token, data } = await newTenant()
    const key = await createKey(running.url, token, ['read:customers', 'write:customers'])
    const made = { method: 'POST', path: '/api/v1/customers', token: key, body: { firstName: 'Ada' } }
    const customer = (await call(running.url, made)).body.data
    const path = `/api/v1/customers/${customer._id}`
    await Promise.all(Array.from({ length: 20 }, () => call(running.url, { path, token: key })))
    await Promise.all(Array.from({ length: 10 }, () => call(running.url, { path, token })))
    await call(running.url, { path: '/api/v1/webhooks', token: key })
    // The last request is counted with all others or after them.
    const counted = await within2s<Usage>(
      () => data('/usage'),
      ({ usage }) => usage.requestsByEndpoint['/api/v1/webhooks'] === 1,
    )
    expect(counted).toMatchObject({
      month: currentMonth(),
      limits: { apiCalls: -1, isUnlimited: true },
      overage: { requests: 0, percentage: 0 },
    })
    const { '/api/v1/analytics/usage': own = 0, ...others } = counted.usage.requestsByEndpoint
    expect(others).toEqual({
      '/api/tenant/api-keys': 1,
      '/api/v1/customers': 1,
      '/api/v1/customers/{id}': 30,
      '/api/v1/webhooks': 1,
    })
    expect(counted.usage.totalRequests).toBe(33 + own)
    expect(counted.usage.requestsByMethod).toEqual({ GET: 31 + own, POST: 2 })
  })

  it('has zeros for a month without requests', async () => {
    const { data } = await newTenant()
    expect(await data(`/usage?month=${monthsAgo(24)}`)).toEqual({
      month: monthsAgo(24),
      usage: { totalRequests: 0, requestsByEndpoint: {}, requestsByMethod: {} },
      limits: { apiCalls: -1, isUnlimited: true },
      overage: { requests: 0, percentage: 0 },
    })
  })

  it.each(['usage'])(
    '%s refuses text that is no month, and a month over 24 months ago, by name',
    async (name) => {
      const { get } = await newTenant()
      for (const month of [monthsAgo(25), '2026-13', '2026', 'now', '']) {
        const { status, body } = await get(`/${name}?month=${month}`)
        expect([status, body.details?.[0].field]).toEqual([422, 'month'])
      }
    },
  )
})

describe('the usage history', () => {
  it('has exactly as many months as were asked for, oldest first, with zeros where nothing happened', async () => {
    const { tenantId, data } = await newTenant()
    const path = '/api/v1/customers'
    const counted = { tenantId, apiKeyId: null, method: 'GET', path, requests: 7 }
    await running.service.storage.system.addUsage([
      { ...counted, month: monthsAgo(2) },
      { ...counted, month: monthsAgo(2), method: 'POST', requests: 5 },
      { ...counted, month: monthsAgo(23) },
    ])
    const history = (await data('/usage/history?months=24')) as { month: string; totalRequests: number }[]
    expect(history.map(({ month }) => month)).toEqual(
      Array.from({ length: 24 }, (_, index) => monthsAgo(23 - index)),
    )
    const used = { totalRequests: 7, requestsByEndpoint: { [path]: 7 } }
    expect(history.slice(0, 2)).toEqual([
      { month: monthsAgo(23), ...used },
      { month: monthsAgo(22), totalRequests: 0, requestsByEndpoint: {} },
    ])
    expect(history.at(-3)).toEqual({
      month: monthsAgo(2),
      totalRequests: 12,
      requestsByEndpoint: { [path]: 12 },
    })
    expect(await data('/usage/history?months=1')).toMatchObject([{ month: currentMonth() }])
    expect(await data('/usage/history')).toHaveLength(12)
  })

  it.each(['0', '25', '-1', '1.5', 'all', ''])('refuses %j months', async (months) => {
    const { get } = await newTenant()
    const { status, body } = await get(`/usage/history?months=${months}`)
    expect([status, body.details?.[0].field]).toEqual([422, 'months'])
  })
})

describe('the metrics of a month', () => {
  interface Metrics {
    averageResponseTime: number
    p95ResponseTime: number
    p99ResponseTime: number
    errorRate: number
    totalRequests: number
    successfulRequests: number
    failedRequests: number
  }

  it('count 2xx as successes and 4xx and 5xx as failures, within two seconds, and agree with each other', async () => {
    const { token, data } = await newTenant()
    const key = await createKey(running.url, token, ['read:customers'])
    const ask = (path: string) => call(running.url, { path, token: key })
    await Promise.all(Array.from({ length: 12 }, () => ask('/api/v1/customers')))
    await Promise.all(Array.from({ length: 3 }, () => ask('/api/v1/customers/cus_unknown')))
    // Without a valid credential a request is nobody’s.
    await call(running.url, { path: '/api/v1/customers', token: `${key}x` })
    await ask('/api/v1/webhooks')
    const shown = await within2s<Metrics>(
      () => data('/metrics'),
      ({ failedRequests }) => failedRequests === 4,
    )
    expect(shown.failedRequests).toBe(4)
    expect(shown.totalRequests).toBe(shown.successfulRequests + 4)
    expect(shown.successfulRequests).toBeGreaterThanOrEqual(13)
    expect(shown.errorRate).toBe(Math.round((4 / shown.totalRequests) * 10_000) / 100)
    expect(shown.averageResponseTime).toBeGreaterThan(0)
    expect(shown.p95ResponseTime).toBeGreaterThan(0)
    expect(shown.p99ResponseTime).toBeGreaterThanOrEqual(shown.p95ResponseTime)
  })

  it('count a stream of events when it begins, and do not time it', async () => {
    const { token, tenantId } = await newTenant()
    const { usage } = running.service.storage.forTenant(tenantId)
    const find = async () =>
      (await usage.findMetrics(currentMonth())) ?? { requests: 0, timed: 0, successful: 0 }
    const stop = new AbortController()
    const { signal } = stop
    const headers = { authorization: `Bearer ${token}` }
    const stream = await fetch(`${running.url}/api/v1/events/stream`, { headers, signal })
    expect(stream.status).toBe(200)
    const counted = await within2s(find, ({ requests }) => requests === 1)
    stop.abort()
    expect(counted).toMatchObject({ requests: 1, timed: 0, successful: 1 })
  })

  it('are zeros for a month without requests', async () => {
    const { data } = await newTenant()
    expect(await data(`/metrics?month=${monthsAgo(1)}`)).toEqual({
      month: monthsAgo(1),
      averageResponseTime: 0,
      p95ResponseTime: 0,
      p99ResponseTime: 0,
      errorRate: 0,
      totalRequests: 0,
      successfulRequests: 0,
      failedRequests: 0,
    })
  })
})

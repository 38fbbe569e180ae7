// Runs on both databases by day: sums over rows.

import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

const currentMonth = () => new Date().toISOString().slice(0, 7)

function monthsAgo(months: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7)
}

async function newTenant() {
  const { token, tenant } = await registerTenant(running.url)
  const get = (path: string, as: string = token) => call(running.url, { path, token: as })
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
  it('counts each request of sessions and keys once, by path template and method, within two seconds [analytics.usage]', async () => {
    const { token, data } = await newTenant()
    const key = await createKey(running.url, token, ['read:customers', 'write:customers'])
    const made = { method: 'POST', path: '/api/v1/customers', token: key, body: { firstName: 'Ada' } }
    const customer = (await call(running.url, made)).body.data
    const path = `/api/v1/customers/${customer._id}`
    await Promise.all(Array.from({ length: 20 }, () => call(running.url, { path, token: key })))
    await Promise.all(Array.from({ length: 10 }, () => call(running.url, { path, token })))
    await call(running.url, { path: '/api/v1/webhooks', token: key })
    // MongoDB adds the counts of one write one after the other, so a read may show some of them.
    const counted = await within2s<Usage>(
      () => data('/api/v1/analytics/usage'),
      ({ usage }) => usage.totalRequests - (usage.requestsByEndpoint['/api/v1/analytics/usage'] ?? 0) >= 33,
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

  it('shows the limit that the operator has set for the tenant, and the requests beyond it [limit.monthlyCalls]', async () => {
    const { tenantId, data } = await newTenant()
    const { system } = running.service.storage
    const path = '/api/v1/customers'
    await system.addUsage([
      { tenantId, month: monthsAgo(1), apiKeyId: null, method: 'GET', path, requests: 150 },
    ])
    const { version: expectVersion = 0 } = (await system.findTenant(tenantId)) ?? {}
    const set = { limits: { apiCalls: 120 } }
    const update = { op: 'update', kind: 'tenants', id: tenantId, expectVersion, set } as const
    await system.commit(tenantId, { writes: [update], events: [] })
    expect(await data(`/api/v1/analytics/usage?month=${monthsAgo(1)}`)).toMatchObject({
      limits: { apiCalls: 120, isUnlimited: false },
      overage: { requests: 30, percentage: 25 },
    })
  })

  it('has zeros for a month without requests [analytics.usage]', async () => {
    const { data } = await newTenant()
    expect(await data(`/api/v1/analytics/usage?month=${monthsAgo(24)}`)).toEqual({
      month: monthsAgo(24),
      usage: { totalRequests: 0, requestsOutsidePlan: 0, requestsByEndpoint: {}, requestsByMethod: {} },
      limits: { apiCalls: -1, isUnlimited: true },
      overage: { requests: 0, percentage: 0 },
    })
  })

  it.each(['usage', 'metrics'])(
    '%s refuses text that is no month, and a month over 24 months ago, by name [analytics.usage analytics.metrics]',
    async (name) => {
      const { get } = await newTenant()
      for (const month of [monthsAgo(25), '2026-13', '2026', 'now', '']) {
        const { status, body } = await get(`/api/v1/analytics/${name}?month=${month}`)
        expect([status, body.details?.[0].field]).toEqual([422, 'month'])
      }
    },
  )
})

describe('the usage history', () => {
  it('has exactly as many months as were asked for, oldest first, with zeros where nothing happened [analytics.usageHistory limit.historyMonths]', async () => {
    const { tenantId, data } = await newTenant()
    const path = '/api/v1/customers'
    const counted = { tenantId, apiKeyId: null, method: 'GET', path, requests: 7 }
    await running.service.storage.system.addUsage([
      { ...counted, month: monthsAgo(2) },
      { ...counted, month: monthsAgo(2), method: 'POST', requests: 5 },
      { ...counted, month: monthsAgo(23) },
    ])
    const history = (await data('/api/v1/analytics/usage/history?months=24')) as {
      month: string
      totalRequests: number
    }[]
    expect(history.map(({ month }) => month)).toEqual(
      Array.from({ length: 24 }, (_, index) => monthsAgo(23 - index)),
    )
    const used = { totalRequests: 7, requestsOutsidePlan: 0, requestsByEndpoint: { [path]: 7 } }
    expect(history.slice(0, 2)).toEqual([
      { month: monthsAgo(23), ...used },
      { month: monthsAgo(22), totalRequests: 0, requestsOutsidePlan: 0, requestsByEndpoint: {} },
    ])
    expect(history.at(-3)).toEqual({
      month: monthsAgo(2),
      totalRequests: 12,
      requestsOutsidePlan: 0,
      requestsByEndpoint: { [path]: 12 },
    })
    expect(await data('/api/v1/analytics/usage/history?months=1')).toMatchObject([{ month: currentMonth() }])
    expect(await data('/api/v1/analytics/usage/history')).toHaveLength(12)
  })

  it.each(['0', '25', '-1', '1.5', 'all', ''])(
    'refuses %j months [analytics.usageHistory limit.historyMonths]',
    async (months) => {
      const { get } = await newTenant()
      const { status, body } = await get(`/api/v1/analytics/usage/history?months=${months}`)
      expect([status, body.details?.[0].field]).toEqual([422, 'months'])
    },
  )
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

  it('count 2xx as successes and 4xx and 5xx as failures, within two seconds, and agree with each other [analytics.metrics]', async () => {
    const { token, data } = await newTenant()
    const key = await createKey(running.url, token, ['read:customers'])
    const ask = (path: string) => call(running.url, { path, token: key })
    await Promise.all(Array.from({ length: 12 }, () => ask('/api/v1/customers')))
    await Promise.all(Array.from({ length: 3 }, () => ask('/api/v1/customers/cus_unknown')))
    // A request without a valid credential belongs to no tenant.
    await call(running.url, { path: '/api/v1/customers', token: `${key}x` })
    await ask('/api/v1/webhooks')
    const shown = await within2s<Metrics>(
      () => data('/api/v1/analytics/metrics'),
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

  it('count a stream of events when it begins, and do not time it [analytics.metrics]', async () => {
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

  it('are zeros for a month without requests [analytics.metrics]', async () => {
    const { data } = await newTenant()
    expect(await data(`/api/v1/analytics/metrics?month=${monthsAgo(1)}`)).toEqual({
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

describe('the counts of labels', () => {
  interface TagCount {
    tag: string
    count: number
    percentage: number
  }

  async function withConversations() {
    const tenant = await newTenant()
    const { token } = tenant
    const me = (await call(running.url, { path: '/api/v1/users/me', token })).body.data._id as string
    const [inbox] = (await call(running.url, { path: '/api/v1/inboxes', token })).body.data
    const add = async (labels: readonly string[], assignedTo?: string) => {
      const body = {
        subject: 'Order',
        inboxId: inbox._id,
        labels,
        ...(assignedTo !== undefined && { assignedTo }),
      }
      const answer = await call(running.url, { method: 'POST', path: '/api/v1/conversations', token, body })
      expect(answer.status).toBe(201)
      return answer.body.data
    }
    const tags = async (query = ''): Promise<TagCount[]> =>
      (await tenant.get(`/api/v1/analytics/tags${query}`)).body.data
    return { ...tenant, me, add, tags }
  }

  it('hold each conversation once for each label, with its share of the labelled ones, most frequent first [tagItem.fields analytics.tags]', async () => {
    const { me, add, tags } = await withConversations()
    await add(['billing', 'VIP'], me)
    await add(['billing'], me)
    await add(['vip', 'bug'])
    await add([])
    expect(await tags()).toEqual([
      { tag: 'VIP', count: 2, percentage: 66.67 },
      { tag: 'billing', count: 2, percentage: 66.67 },
      { tag: 'bug', count: 1, percentage: 33.33 },
    ])
    expect(await tags('?tag=vIp')).toEqual([{ tag: 'VIP', count: 2, percentage: 66.67 }])
    expect(await tags('?tag=unknown')).toEqual([])
    const ofAgent = [
      { tag: 'billing', count: 2, percentage: 100 },
      { tag: 'VIP', count: 1, percentage: 50 },
    ]
    expect(await tags('?agentId=me')).toEqual(ofAgent)
    expect(await tags(`?agentId=${me}&tag=vip`)).toEqual(ofAgent.slice(1))
    expect(await tags('?agentId=usr_unknown')).toEqual([])
  })

  it('follow changes of labels and assignees, and deletions [analytics.tags]', async () => {
    const { token, me, add, tags } = await withConversations()
    const path = `/api/v1/conversations/${(await add(['old']))._id}`
    const send = (method: string, to: string, body?: object) =>
      call(running.url, { method, path: to, token, body })
    await send('POST', `${path}/labels`, { labels: ['new'] })
    await send('PUT', path, { assignedTo: me })
    const [one, other] = ['new', 'old'].map((tag) => ({ tag, count: 1, percentage: 100 }))
    expect(await tags('?agentId=me')).toEqual([one, other])
    await send('PUT', path, { labels: ['new'] })
    expect(await tags('?agentId=me')).toEqual([one])
    expect((await send('DELETE', path)).status).toBe(200)
    expect(await tags()).toEqual([])
  })

  it('are those of the range: moments, days in UTC, and by default the last 30 days [analytics.tags]', async () => {
    const { tenantId, add, tags } = await withConversations()
    const { _id, createdAt } = await add(['now'])
    const store = running.service.storage.forTenant(tenantId)
    const { version, ...stored } = (await store.conversations.find(_id)) as never as { version: number }
    const ago = (days: number) => new Date(Date.parse(createdAt) - days * 86_400_000).toISOString()
    for (const days of [29, 31]) {
      const row = {
        ...stored,
        _id: `con_${days}`,
        labels: [`${days} days ago`],
        createdAt: ago(days),
        externalIds: [],
      }
      await store.commit({ writes: [{ op: 'insert', kind: 'conversations', row: row as never }], events: [] })
    }
    const names = async (query: string) => (await tags(query)).map(({ tag }) => tag)
    expect(await names('')).toEqual(['29 days ago', 'now'])
    expect(await names(`?startDate=${ago(32)}`)).toEqual(['29 days ago', '31 days ago', 'now'])
    expect(await names(`?startDate=${ago(31)}&endDate=${ago(31)}`)).toEqual(['31 days ago'])
    const [day, later] = [ago(31).slice(0, 10), ago(29).slice(0, 10)]
    expect(await names(`?startDate=${day}&endDate=${day}`)).toEqual(['31 days ago'])
    expect(await names(`?startDate=${later}&endDate=${later}`)).toEqual(['29 days ago'])
    expect(await names(`?endDate=${ago(30)}`)).toEqual(['31 days ago'])
  })

  it('are withheld for a user whose processing is restricted, and only for that user [analytics.tags]', async () => {
    const { tenantId, me, add, tags } = await withConversations()
    await add(['billing'], me)
    const store = running.service.storage.forTenant(tenantId)
    const { version: expectVersion = 0 } = (await store.users.find(me)) ?? {}
    const restrict = {
      op: 'update',
      kind: 'users',
      id: me,
      expectVersion,
      set: { processingRestricted: true },
    } as const
    await store.commit({ writes: [restrict], events: [] })
    expect(await tags(`?agentId=${me}`)).toEqual([])
    expect(await tags()).toHaveLength(1)
  })

  it.each([
    ['startDate=yesterday', 'startDate'],
    ['endDate=2026-02-30', 'endDate'],
    ['startDate=2026-02-02&endDate=2026-02-01', 'endDate'],
    ['startDate=2999-01-01', 'startDate'],
    ['agentId=', 'agentId'],
  ])('refuse %s and name the parameter [analytics.tags]', async (query, field) => {
    const { get } = await newTenant()
    const { status, body } = await get(`/api/v1/analytics/tags?${query}`)
    expect([status, body.details?.[0].field]).toEqual([422, field])
  })

  it('refuse an API key that asks for its own conversations', async () => {
    const { token, get } = await newTenant()
    const key = await createKey(running.url, token, ['read:analytics'])
    const { status, body } = await get('/api/v1/analytics/tags?agentId=me', key)
    expect([status, body.details?.[0].field]).toEqual([422, 'agentId'])
    expect((await get('/api/v1/analytics/tags', key)).status).toBe(200)
  })
})

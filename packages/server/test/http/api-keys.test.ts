import { beforeAll, describe, expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string

beforeAll(async () => {
  token = (await registerTenant(running.url)).token
})

const keys = '/api/tenant/api-keys'
const send = (options: Parameters<typeof call>[1]) => call(running.url, { token, ...options })
const post = (path: string, body?: object) => send({ method: 'POST', path, body })

async function newKey(settings: object = {}) {
  const response = await post(keys, { name: 'Key', permissions: ['read:customers'], ...settings })
  expect(response.status).toBe(201)
  return response.body.data
}
async function use(key: string) {
  const response = await call(running.url, { path: '/api/v1/customers', token: key })
  return response.body.code ?? response.status
}
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

describe('the list', () => {
  it('has its own shape, newest first, filtered by environment and activity [apiKeys.list]', async () => {
    const { token: owner } = await registerTenant(running.url)
    const list = async (query: string) => (await send({ path: `${keys}?${query}`, token: owner })).body.data
    const made: string[] = []
    for (const environment of ['production', 'staging', 'production']) {
      const body = { name: 'K', permissions: ['read:customers'], environment }
      made.push((await send({ method: 'POST', path: keys, token: owner, body })).body.data._id)
    }
    await send({ method: 'POST', path: `${keys}/${made[0]}/revoke`, token: owner })
    const ids = (data: { keys: { _id: string }[] }) => data.keys.map(({ _id }) => _id)
    const [first = '', second = '', third = ''] = made
    const all = await list('')
    expect(ids(all)).toEqual([third, second, first])
    expect(all).toMatchObject({ total: 3, page: 1, limit: 20, totalPages: 1, nextCursor: null })
    expect(ids(await list('environment=staging'))).toEqual([second])
    expect(ids(await list('isActive=false'))).toEqual([first])
    expect(ids(await list('isActive=true&environment=production'))).toEqual([third])
    expect(ids(await list('limit=1&page=2'))).toEqual([second])
    for (const query of ['isActive=yes', 'environment=test', 'limit=0', 'cursor=made-up'])
      expect((await send({ path: `${keys}?${query}`, token: owner })).status).toBe(422)
  })
})

describe('the name for customers', () => {
  it('is changed, cleared, and kept by the successor of a key', async () => {
    const { _id } = await newKey({ displayName: '  Acme  ' })
    const put = async (displayName: string | null) =>
      (await send({ method: 'PUT', path: `${keys}/${_id}`, body: { displayName } })).body.data?.displayName
    expect((await send({ path: `${keys}/${_id}` })).body.data.displayName).toBe('Acme')
    expect([await put(' '), await put('Bot'), await put('x'.repeat(101))]).toEqual([null, 'Bot', undefined])
    expect((await post(`${keys}/${_id}/rotate`)).body.data).toMatchObject({ name: 'Key', displayName: 'Bot' })
  })
})

describe('a rotation', () => {
  it('makes a new key with the same settings, and the old key works during the overlap [auth.rotation]', async () => {
    const settings = {
      permissions: ['read:customers', 'webhook:manage'],
      environment: 'staging',
      expiresAt: inMs(30 * 86_400_000),
      rotationPolicy: { enabled: true, intervalDays: 90, notifyDaysBefore: 7 },
      rateLimit: { requests: 50, window: '2 minutes' },
      ipWhitelist: ['127.0.0.1', '::1'],
    }
    const old = await newKey({ name: 'Rotating', ...settings })
    const response = await post(`${keys}/${old._id}/rotate`, { overlapSeconds: 600 })
    expect(response.status).toBe(201)
    const successor = response.body.data
    expect(successor).toMatchObject({ name: 'Rotating', ...settings, isActive: true, replacedBy: null })
    expect(successor._id).not.toBe(old._id)
    expect(successor.key).toMatch(/^sk_test_/)
    expect([await use(old.key), await use(successor.key)]).toEqual([200, 200])
    const shown = (await send({ path: `${keys}/${old._id}` })).body.data
    expect(shown).toMatchObject({ replacedBy: successor._id, isActive: true })
    const overlapMs = Date.parse(shown.expiresAt) - Date.parse(successor.createdAt)
    expect(overlapMs).toBe(600_000)
  })

  it('ends the old key at once without an overlap, in a day by default, and never after its own end', async () => {
    const [at, later, soon] = [await newKey(), await newKey(), await newKey({ expiresAt: inMs(60_000) })]
    await post(`${keys}/${at._id}/rotate`, { overlapSeconds: 0 })
    expect(await use(at.key)).toBe('API_KEY_EXPIRED')
    const { createdAt } = (await post(`${keys}/${later._id}/rotate`)).body.data
    const endOf = async (id: string) => (await send({ path: `${keys}/${id}` })).body.data.expiresAt
    expect(Date.parse(await endOf(later._id)) - Date.parse(createdAt)).toBe(86_400_000)
    await post(`${keys}/${soon._id}/rotate`)
    expect(await endOf(soon._id)).toBe(soon.expiresAt)
  })

  it('happens once: many at once, and revoked, expired or rotated keys are refused', async () => {
    const key = await newKey()
    const rotate = (id: string) => post(`${keys}/${id}/rotate`, { overlapSeconds: 600 })
    const responses = await Promise.all(Array.from({ length: 8 }, () => rotate(key._id)))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = responses.filter(({ status }) => status !== 201)
    for (const { status, body } of refused)
      expect([status, body.code, body.details.status]).toEqual([409, 'INVALID_STATE', 'rotated'])
    const revoked = await newKey()
    await post(`${keys}/${revoked._id}/revoke`)
    expect((await rotate(revoked._id)).body.details).toEqual({ status: 'inactive', allowed: ['active'] })
    const ended = await newKey()
    await post(`${keys}/${ended._id}/rotate`, { overlapSeconds: 0 })
    expect((await rotate(ended._id)).status).toBe(409)
  })

  it.each([-1, 604_801, 1.5, '60'])('refuses an overlap of %j', async (overlapSeconds) => {
    const key = await newKey()
    const response = await post(`${keys}/${key._id}/rotate`, { overlapSeconds })
    expect([response.status, response.body.details[0].field]).toEqual([422, 'overlapSeconds'])
  })
})

describe('the usage', () => {
  interface Usage {
    totalRequests: number
    requestsByEndpoint: Record<string, number>
    requestsByMethod: Record<string, number>
  }
  const usageOf = async (id: string, query = ''): Promise<Usage> =>
    (await send({ path: `${keys}/${id}/usage${query}` })).body.data

  it('counts every request with the key by template and method, also refused ones, within two seconds [apiKeys.usage]', async () => {
    const { _id, key } = await newKey({ permissions: ['read:customers', 'write:customers'] })
    const ask = (method: string, path: string, body?: object) =>
      call(running.url, { method, path, token: key, body })
    const customer = await ask('POST', '/api/v1/customers', { firstName: 'Ada' })
    const path = `/api/v1/customers/${customer.body.data._id}`
    await Promise.all(Array.from({ length: 30 }, () => ask('GET', path)))
    await ask('GET', '/api/customers')
    await ask('PUT', path, { tier: 'tin' })
    await ask('GET', '/api/v1/webhooks')
    await ask('GET', '/api/v1/nothing')
    const endMs = Date.now() + 2000
    while ((await usageOf(_id)).totalRequests < 34 && Date.now() < endMs);
    expect(await usageOf(_id)).toEqual({
      month: new Date().toISOString().slice(0, 7),
      totalRequests: 34,
      requestsByEndpoint: {
        '/api/v1/customers': 2,
        '/api/v1/customers/{id}': 31,
        '/api/v1/webhooks': 1,
      },
      requestsByMethod: { GET: 32, POST: 1, PUT: 1 },
    })
  })

  it('of another month is empty; an invalid or too old month is refused [apiKeys.usage]', async () => {
    const { _id } = await newKey()
    const now = new Date()
    const monthsAgo = (months: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7)
    expect(await usageOf(_id, `?month=${monthsAgo(24)}`)).toEqual({
      month: monthsAgo(24),
      totalRequests: 0,
      requestsByEndpoint: {},
      requestsByMethod: {},
    })
    for (const month of [monthsAgo(25), '2026-13', '2026', 'now']) {
      const response = await send({ path: `${keys}/${_id}/usage?month=${month}` })
      expect([response.status, response.body.details?.[0].field]).toEqual([422, 'month'])
    }
  })
})

describe('a change', () => {
  it('cannot reactivate a revoked key by clearing isActive [state.keyActivity]', async () => {
    const { _id, key } = await newKey()
    await post(`${keys}/${_id}/revoke`)
    const response = await send({ method: 'PUT', path: `${keys}/${_id}`, body: { isActive: null } })
    expect([response.status, response.body.details[0].field]).toEqual([422, 'isActive'])
    expect(await use(key)).toBe('API_KEY_INACTIVE')
  })

  it('records the last use of a key within a minute', async () => {
    const { _id, key } = await newKey()
    const usedAt = new Date().toISOString()
    await use(key)
    const endMs = Date.now() + 10_000
    const lastUse = async () => (await send({ path: `${keys}/${_id}` })).body.data.lastUsedAt
    while ((await lastUse()) === null && Date.now() < endMs)
      await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await lastUse()).toSatisfy((at: string) => at >= usedAt)
  })
})

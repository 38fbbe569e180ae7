// Runs on both databases by day: limits that Redis counts.

import { afterEach, describe, expect, it } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { type Call, type CallResponse, call, createKey, password, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'

let running: RunningService
afterEach(() => running.stop())

/** A service with limits on; limits that are not named here are far above the test's requests. */
async function start(
  limits: Partial<Record<'KEY' | 'USER' | 'TENANT' | 'PEOPLE' | 'ADDRESS' | 'LOGIN', number>>,
) {
  const far = { KEY: 1000, USER: 1000, TENANT: 1000, PEOPLE: 1000, ADDRESS: 1000, LOGIN: 1000 }
  const variables = Object.entries({ ...far, ...limits }).map(([name, requests]) => [
    `CRM_LIMIT_${name}_PER_MINUTE`,
    `${requests}`,
  ])
  running = await startService({
    CRM_RATE_LIMITS: 'on',
    CRM_TRUST_PROXY: '1',
    ...Object.fromEntries(variables),
  })
  return registerTenant(running.url)
}

const customers = '/api/v1/customers'
const send = (options: Call) => call(running.url, options)
const from = (address: string) => ({ 'x-forwarded-for': address })

async function repeat(times: number, request: () => Promise<CallResponse>): Promise<CallResponse[]> {
  const responses: CallResponse[] = []
  for (let i = 0; i < times; i++) responses.push(await request())
  return responses
}
const statuses = (responses: readonly CallResponse[]) => responses.map(({ status }) => status)

async function keyWith(token: string, settings: object): Promise<{ _id: string; key: string }> {
  const body = { name: 'Limited', permissions: ['read:customers'], ...settings }
  return (await send({ method: 'POST', path: '/api/tenant/api-keys', token, body })).body.data
}

const headersOf = ({ headers }: CallResponse) => ({
  limit: headers.get('x-ratelimit-limit'),
  remaining: headers.get('x-ratelimit-remaining'),
  reset: Number(headers.get('x-ratelimit-reset')),
  policy: headers.get('ratelimit-policy'),
  state: headers.get('ratelimit'),
})

describe('the headers', () => {
  it('name limit, remaining requests and reset, in both forms, on success and on every refusal', async () => {
    const { token } = await start({ KEY: 600 })
    const key = await createKey(running.url, token, ['read:customers'])
    const path = customers
    const responses = [
      await send({ path, token: key }),
      await send({ path: `${path}/none`, token: key }),
      await send({ path: `${path}?limit=0`, token: key }),
      await send({ method: 'POST', path, token: key, body: {} }),
      await send({ path: '/api/v1/webhooks', token: key }),
    ]
    expect(statuses(responses)).toEqual([200, 404, 422, 403, 403])
    const nowS = Date.now() / 1000
    for (const [index, response] of responses.entries()) {
      const { reset, ...fields } = headersOf(response)
      expect(fields).toEqual({
        limit: '600',
        remaining: `${599 - index}`,
        policy: '"key";q=600;w=60',
        state: expect.stringMatching(new RegExp(`^"key";r=${599 - index};t=(5[0-9]|60)$`)),
      })
      expect(reset).toBeGreaterThan(nowS + 30)
      expect(reset).toBeLessThanOrEqual(Math.ceil(nowS + 60))
    }
    expect(new Set(responses.map((response) => headersOf(response).reset)).size).toBe(1)
  })

  it('name the limit with the fewest remaining requests', async () => {
    const { token } = await start({ USER: 100, PEOPLE: 50 })
    expect(headersOf(await send({ path: '/api/auth/me', token }))).toMatchObject({
      limit: '50',
      remaining: '49',
      policy: '"people";q=50;w=60',
    })
  })
})

describe('a key', () => {
  it('with a limit of its own is refused at it, learns when it ends, and is served again at that moment [auth.keyLimit error.rateLimit limit.perKey]', async () => {
    const { token } = await start({})
    const { key } = await keyWith(token, { rateLimit: { requests: 3, window: '1 second' } })
    const responses = await repeat(4, () => send({ path: customers, token: key }))
    expect(statuses(responses)).toEqual([200, 200, 200, 429])
    const refused = responses[3] as CallResponse
    expect(refused.body).toEqual({
      success: false,
      error: expect.any(String),
      code: 'RATE_LIMIT_EXCEEDED',
      requestId: expect.any(String),
      limit: 3,
      resetAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(headersOf(refused)).toMatchObject({ limit: '3', remaining: '0', policy: '"key";q=3;w=1' })
    const waitMs = Date.parse(refused.body.resetAt) - Date.now()
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    expect((await send({ path: customers, token: key })).status).toBe(200)
  })

  it('follows a limit that was set or removed with the very next request', async () => {
    const { token } = await start({ KEY: 2 })
    const { key, _id } = await keyWith(token, {})
    const change = (rateLimit: object | null) =>
      send({ method: 'PUT', path: `/api/tenant/api-keys/${_id}`, token, body: { rateLimit } })
    const use = () => send({ path: customers, token: key })
    expect(statuses(await repeat(3, use))).toEqual([200, 200, 429])
    await change({ requests: 4, window: 'minute' })
    expect(statuses(await repeat(3, use))).toEqual([200, 200, 429])
    await change(null)
    expect((await use()).status).toBe(429)
  })

  it('keeps its own limit where limits are switched off, and has no other', async () => {
    running = await startService({ CRM_RATE_LIMITS: 'off' })
    const { token } = await registerTenant(running.url)
    const { key } = await keyWith(token, { rateLimit: { requests: 2, window: 'hour' } })
    expect(statuses(await repeat(3, () => send({ path: customers, token: key })))).toEqual([200, 200, 429])
    const free = await createKey(running.url, token, ['read:customers'])
    const response = await send({ path: customers, token: free })
    expect([response.status, headersOf(response).limit]).toEqual([200, null])
  })

  it('also counts requests that are refused with 403', async () => {
    const { token } = await start({ KEY: 3 })
    const key = await createKey(running.url, token, ['read:customers'])
    const responses = await repeat(5, () => send({ path: '/api/v1/webhooks', token: key }))
    expect(statuses(responses)).toEqual([403, 403, 403, 429, 429])
  })

  it('has a counter of its own, in its own tenant', async () => {
    const { token } = await start({ KEY: 2 })
    const [first, second] = [await keyWith(token, {}), await keyWith(token, {})]
    expect(statuses(await repeat(3, () => send({ path: customers, token: first.key })))).toEqual([
      200, 200, 429,
    ])
    expect((await send({ path: customers, token: second.key })).status).toBe(200)
  })
})

describe('a user and a tenant', () => {
  it('share one limit for all sessions of the user, and a colleague has another', async () => {
    const { email, token, tenant } = await start({ USER: 5 })
    const login = await send({ method: 'POST', path: '/api/auth/login', body: { email, password } })
    const tokens = [token, login.body.data.accessToken]
    const responses = await repeat(6, () => send({ path: '/api/auth/me', token: tokens.reverse()[0] }))
    expect(statuses(responses)).toEqual([200, 200, 200, 200, 200, 429])
    expect(headersOf(responses[5] as CallResponse).policy).toBe('"user";q=5;w=60')
    const colleague = await addColleague(running, { tenantId: tenant._id, role: 'agent' })
    expect((await send({ path: '/api/auth/me', token: colleague.token })).status).toBe(200)
  })

  it('share one limit for all keys of the tenant; another tenant has its own', async () => {
    const { token } = await start({ TENANT: 6 })
    const keys = [
      await createKey(running.url, token, ['read:customers']),
      await createKey(running.url, token, ['read:customers']),
    ]
    const responses = await repeat(7, () => send({ path: customers, token: keys.reverse()[0] }))
    expect(statuses(responses)).toEqual([200, 200, 200, 200, 200, 200, 429])
    expect(responses[6]?.body.limit).toBe(6)
    const other = await registerTenant(running.url)
    expect((await send({ path: customers, token: other.token })).status).toBe(200)
  })
})

describe('people before programs', () => {
  it('keys that have used up the limit of the tenant stop no person', async () => {
    const { token } = await start({ TENANT: 3 })
    const key = await createKey(running.url, token, ['read:customers'])
    expect(statuses(await repeat(4, () => send({ path: customers, token: key })))).toEqual([
      200, 200, 200, 429,
    ])
    expect(statuses(await repeat(4, () => send({ path: customers, token })))).toEqual([200, 200, 200, 200])
  })

  it('sessions share a limit of the tenant, which the making and revoking of keys does not take from', async () => {
    const { token } = await start({ PEOPLE: 3 })
    const responses = await repeat(4, () => send({ path: customers, token }))
    expect(statuses(responses)).toEqual([200, 200, 200, 429])
    expect(responses[3]?.body.limit).toBe(3)
    const { _id } = await keyWith(token, {})
    const path = `/api/tenant/api-keys/${_id}`
    expect((await send({ method: 'DELETE', path, token })).status).toBeLessThan(300)
  })
})

describe('an address', () => {
  it('is charged for every page and file of the live reference, found or not', async () => {
    await start({ ADDRESS: 5 })
    const paths = ['', '/', '/swagger-ui-bundle.js', '/unknown', '/api-docs.css', '/api-docs.js']
    const seen: number[] = []
    for (const path of paths) {
      const options = { redirect: 'manual', headers: from('203.0.113.9') } as const
      const response = await fetch(`${running.url}/api-docs${path}`, options)
      await response.arrayBuffer()
      seen.push(response.status)
    }
    expect(seen).toEqual([302, 200, 200, 404, 200, 429])
  })

  it('is charged for unknown paths, wrong methods, bad versions, bad credentials and public calls', async () => {
    await start({ ADDRESS: 6 })
    const headers = from('203.0.113.7')
    const responses = [
      await send({ path: '/api/v1/nothing', headers }),
      await send({ method: 'PATCH', path: customers, headers }),
      await send({ path: customers, headers: { ...headers, 'x-api-version': 'v9' } }),
      await send({ path: customers, headers }),
      await send({ path: customers, headers, token: 'sk_live_made-up' }),
      await send({ path: '/api/v1/health', headers }),
      await send({ path: customers, headers }),
      await send({ path: '/api/v1/health', headers }),
    ]
    expect(statuses(responses)).toEqual([404, 405, 400, 401, 401, 200, 429, 429])
    expect(responses[6]?.body).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 6 })
    expect((await send({ path: customers, headers: from('203.0.113.8') })).status).toBe(401)
  })

  it('that has reached its limit does not block a good credential', async () => {
    const { token } = await start({ ADDRESS: 3 })
    const headers = from('203.0.113.7')
    await repeat(5, () => send({ path: customers, headers }))
    const response = await send({ path: customers, headers, token })
    expect([response.status, headersOf(response).policy]).toEqual([200, '"user";q=1000;w=60'])
  })

  it('of IPv6 counts with its /64, and an IPv4 address in IPv6 form as IPv4', async () => {
    await start({ ADDRESS: 2 })
    const from64 = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2:3:4:5:6', '2001:db8:1:3::1']
    const responses: CallResponse[] = []
    for (const address of from64) responses.push(await send({ path: customers, headers: from(address) }))
    expect(statuses(responses)).toEqual([401, 401, 429, 401])
    const mapped = ['203.0.113.7', '::ffff:203.0.113.7', '203.0.113.7']
    const others: CallResponse[] = []
    for (const address of mapped) others.push(await send({ path: customers, headers: from(address) }))
    expect(statuses(others)).toEqual([401, 401, 429])
  })

  it('may sign in a limited number of times a minute, whatever the account', async () => {
    const { email } = await start({ LOGIN: 2 })
    const login = (address: string, who = email) =>
      send({
        method: 'POST',
        path: '/api/auth/login',
        body: { email: who, password },
        headers: from(address),
      })
    const responses = [
      await login('203.0.113.7'),
      await login('203.0.113.7', 'nobody@example.com'),
      await login('203.0.113.7'),
      await login('203.0.113.8'),
    ]
    expect(statuses(responses)).toEqual([200, 401, 429, 200])
    expect(headersOf(responses[2] as CallResponse).policy).toBe('"login";q=2;w=60')
    expect(responses[2]?.headers.get('retry-after')).toMatch(/^[1-5]?\d$|^60$/)
  })
})

describe('failed sign-ins', () => {
  const post = (path: string, body: object, { address = '203.0.113.7', token }: Partial<Sender> = {}) =>
    send({ method: 'POST', path, body, headers: from(address), token })
  interface Sender {
    address: string
    token: string
  }

  it('make the account wait at that address after the fifth, and nowhere else', async () => {
    const { email } = await start({})
    const guess = () => post('/api/auth/login', { email: email.toUpperCase(), password: 'a wrong guess' })
    expect(statuses(await repeat(5, guess))).toEqual([401, 401, 401, 401, 401])
    const right = await post('/api/auth/login', { email, password })
    expect(right.body).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 5, resetAt: expect.any(String) })
    expect(right.headers.get('retry-after')).toBe('2')
    const elsewhere = await post('/api/auth/login', { email, password }, { address: '203.0.113.8' })
    expect(elsewhere.status).toBe(200)
    const other = await registerTenant(running.url)
    expect((await post('/api/auth/login', { email: other.email, password })).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, Date.parse(right.body.resetAt) - Date.now()))
    expect((await post('/api/auth/login', { email, password })).status).toBe(200)
    expect((await guess()).status).toBe(401)
  })

  it('make an account that does not exist wait in the same way', async () => {
    await start({})
    const guess = () => post('/api/auth/login', { email: 'nobody@example.com', password })
    expect(statuses(await repeat(6, guess))).toEqual([401, 401, 401, 401, 401, 429])
  })

  it('cannot avoid the wait by simultaneous requests, by registering or by changing the password', async () => {
    const { email, token } = await start({})
    const wrong = { email, password: 'a wrong guess' }
    const responses = await Promise.all(Array.from({ length: 12 }, () => post('/api/auth/login', wrong)))
    expect(statuses(responses).filter((status) => status === 401)).toHaveLength(5)
    expect((await post('/api/auth/register', { tenantName: 'Guess', ...wrong })).status).toBe(429)
    const change = await send({
      method: 'PUT',
      path: '/api/auth/password',
      token,
      headers: from('203.0.113.7'),
      body: { currentPassword: password, newPassword: 'another password' },
    })
    expect(change.status).toBe(429)
  })

  it('make no account wait where limits are off', async () => {
    running = await startService({ CRM_RATE_LIMITS: 'off' })
    const { email } = await registerTenant(running.url)
    await repeat(7, () => post('/api/auth/login', { email, password: 'a wrong guess' }))
    expect((await post('/api/auth/login', { email, password })).status).toBe(200)
  })
})

it('each webhook can be tested ten times a minute', async () => {
  const { token } = await start({})
  const made = await Promise.all(
    ['One', 'Two'].map((name) => {
      const body = { name, url: 'https://127.0.0.1:1024/hook', events: ['customer.created'] }
      return send({ method: 'POST', path: '/api/v1/webhooks', token, body })
    }),
  )
  const [one, two] = made.map(({ body }) => body.data._id as string)
  const test = (id = '') => send({ method: 'POST', path: `/api/v1/webhooks/${id}/test`, token })
  const responses = await repeat(11, () => test(one))
  expect(statuses(responses)).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  expect(headersOf(responses[10] as CallResponse).policy).toBe('"webhook-test";q=10;w=60')
  expect((await test(two)).status).toBe(200)
})

it('a limit of 0 means no limit', async () => {
  const { token } = await start({ USER: 0, PEOPLE: 0 })
  const response = await send({ path: '/api/auth/me', token })
  expect([response.status, headersOf(response).limit]).toEqual([200, null])
})

describe('the limit of the search', () => {
  it('is 120 a minute for each credential, which people who type do not share', async () => {
    const { token } = await start({})
    const key = await createKey(running.url, token, ['read:conversations'])
    const path = '/api/v1/search?q=moth'
    const responses = await Promise.all(Array.from({ length: 121 }, () => send({ path, token: key })))
    expect(statuses(responses).toSorted()).toEqual([...Array<number>(120).fill(200), 429])
    expect((await send({ path, token })).status).toBe(200)
    expect((await send({ path: '/api/v1/conversations', token: key })).status).toBe(200)
  })
})

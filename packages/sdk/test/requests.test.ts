import { describe, expect, it } from 'vitest'
import { ApiError, ConnectionError, Crm, CrmError, ValidationError } from '../src/index.ts'
import { ok, refuse, respondWith, scriptedServer } from './support/scripted-server.ts'

const apiKey = 'sk_live_secret'

describe('a request', () => {
  it('sends the key as a bearer token, and JSON', async () => {
    const { baseUrl, seen } = await scriptedServer(ok({}))
    await new Crm({ baseUrl, apiKey, headers: { 'x-team': 'a' } }).customers.update('cus_1', { tier: 'gold' })
    expect(seen[0]).toMatchObject({ method: 'PUT', url: '/api/v1/customers/cus_1', body: '{"tier":"gold"}' })
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer sk_live_secret',
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'crmkit-sdk',
      'x-team': 'a',
    })
  })

  it('calls an access token function before each call', async () => {
    const { baseUrl, seen } = await scriptedServer(ok({}))
    let count = 0
    const crm = new Crm({ baseUrl, accessToken: async () => `token-${++count}` })
    await crm.auth.me()
    await crm.auth.me()
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
  })

  it('sends no credential to public operations', async () => {
    const { baseUrl, seen } = await scriptedServer(ok({ status: 'ok' }))
    await new Crm({ baseUrl, apiKey }).health.get()
    expect(seen[0]?.headers.authorization).toBeUndefined()
  })

  it('keeps a path in front of /api', async () => {
    const { baseUrl, seen } = await scriptedServer(ok({}))
    await new Crm({ baseUrl: `${baseUrl}/crm/`, apiKey }).customers.get('cus_1')
    expect(seen[0]?.url).toBe('/crm/api/v1/customers/cus_1')
  })

  it('encodes ids, so that none addresses another resource', async () => {
    const { baseUrl, seen } = await scriptedServer(ok({}))
    const crm = new Crm({ baseUrl, apiKey })
    await crm.customers.get('a/../b?c#d%2e é')
    expect(seen[0]?.url).toBe('/api/v1/customers/a%2F..%2Fb%3Fc%23d%252e%20%C3%A9')
  })

  it.each(['', '.', '..'])('refuses the id "%s" without sending anything', async (id) => {
    const { baseUrl, seen } = await scriptedServer(ok({}))
    await expect(new Crm({ baseUrl, apiKey }).customers.delete(id)).rejects.toBeInstanceOf(CrmError)
    expect(seen).toHaveLength(0)
  })

  it('repeats array filters and omits undefined ones', async () => {
    const { baseUrl, seen } = await scriptedServer(
      respondWith(200, { success: true, data: [], pagination: { total: 0, nextCursor: null } }),
    )
    await new Crm({ baseUrl, apiKey }).customers.list({ tags: ['a b', 'c&d'], tier: undefined, limit: 5 })
    expect(seen[0]?.url).toBe('/api/v1/customers?tags=a+b&tags=c%26d&limit=5')
  })

  it('sends a Date of JavaScript as the time that it is', async () => {
    const { baseUrl, seen } = await scriptedServer(
      respondWith(200, { success: true, data: [], pagination: { total: 0, nextCursor: null } }),
    )
    const updatedSince = new Date(0) as unknown as string
    await new Crm({ baseUrl, apiKey }).customers.list({ updatedSince })
    expect(seen[0]?.url).toBe('/api/v1/customers?updatedSince=1970-01-01T00%3A00%3A00.000Z')
  })

  it('does not follow a redirect, which could carry the credential elsewhere', async () => {
    const { baseUrl, seen } = await scriptedServer(respondWith(301, '', { location: 'http://crm.invalid/' }))
    const error = await new Crm({ baseUrl, apiKey }).customers.get('a').catch((e) => e)
    expect(error).toMatchObject({ status: 301, code: 'HTTP_301' })
    expect(error.message).toContain('baseUrl')
    expect(seen).toHaveLength(1)
  })

  it('sends any request and returns the whole body', async () => {
    const { baseUrl, seen } = await scriptedServer(ok({ _id: 'x' }))
    const crm = new Crm({ baseUrl, apiKey })
    const { data, response } = await crm
      .request('POST', '/api/v1/x', { query: { a: 1 }, body: { b: 2 } })
      .withResponse()
    expect(data).toEqual({ success: true, data: { _id: 'x' } })
    expect(response.status).toBe(200)
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/v1/x?a=1', body: '{"b":2}' })
    expect(seen[0]?.headers['idempotency-key']).toBeDefined()
  })
})

describe('a response', () => {
  it('returns the data, and the response with withResponse', async () => {
    const { baseUrl } = await scriptedServer(ok({ _id: 'cus_1' }, { 'x-ratelimit-remaining': '7' }))
    const { data, response } = await new Crm({ baseUrl, apiKey }).customers.get('cus_1').withResponse()
    expect(data._id).toBe('cus_1')
    expect(response.headers.get('x-ratelimit-remaining')).toBe('7')
  })

  it('throws a refusal with its class, code and details, and the request id last', async () => {
    const details = [{ field: 'email', message: 'must be an e-mail address', rule: 'email', in: 'body' }]
    const { baseUrl } = await scriptedServer(refuse(422, 'VALIDATION_ERROR', { details }))
    const error = await new Crm({ baseUrl, apiKey }).customers.create({ email: 'x' }).catch((e) => e)
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({ status: 422, code: 'VALIDATION_ERROR', requestId: 'req_00000001' })
    expect(error.problems).toEqual(details)
    expect(error.message).toBe(
      'POST /api/v1/customers: Refused with VALIDATION_ERROR (VALIDATION_ERROR). email must be an e-mail address [request req_00000001]',
    )
  })

  it.each([
    [401, 'AuthenticationError'],
    [403, 'PermissionError'],
    [404, 'NotFoundError'],
    [409, 'ConflictError'],
    [422, 'ValidationError'],
    [429, 'RateLimitError'],
    [500, 'ServerError'],
    [413, 'ApiError'],
  ])('throws for %i a %s', async (status, name) => {
    const { baseUrl } = await scriptedServer(refuse(status, 'SOME_CODE'))
    const error = await new Crm({ baseUrl, apiKey, maxRetries: 0 }).customers.get('a').catch((e) => e)
    expect(error).toBeInstanceOf(ApiError)
    expect(error.name).toBe(name)
  })

  it('suggests a wrong baseUrl when a success is not JSON', async () => {
    const { baseUrl } = await scriptedServer(respondWith(200, '<html>'))
    const error = await new Crm({ baseUrl, apiKey }).customers.get('a').catch((e) => e)
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', status: 200 })
    expect(error.message).toContain('baseUrl')
  })

  it('includes the system’s code when the connection is refused', async () => {
    const crm = new Crm({ baseUrl: 'http://127.0.0.1:1', apiKey, maxRetries: 0 })
    const error = await crm.customers.get('a').catch((e) => e)
    expect(error).toBeInstanceOf(ConnectionError)
  })
})

describe('credentials', () => {
  it('never shows the key: not in an error, not when the client is printed', async () => {
    const { inspect } = await import('node:util')
    const { baseUrl } = await scriptedServer(refuse(401, 'API_KEY_INVALID'))
    const crm = new Crm({ baseUrl, apiKey })
    const error = await crm.customers.get('a').catch((e) => e)
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(apiKey)
    expect(inspect(crm, { depth: 9 })).not.toContain(apiKey)
    expect(JSON.stringify(crm)).not.toContain(apiKey)
  })

  it.each(['', 'sk_live_a\n', 'sk live', 'sk_é'])(
    'refuses a key that cannot stand in a header, without repeating it',
    (key) => {
      const make = () => new Crm({ baseUrl: 'http://crm.invalid', apiKey: key })
      expect(make).toThrow(CrmError)
      expect(make).not.toThrow(/sk/)
    },
  )

  it('refuses a header value that cannot be sent, without repeating it', async () => {
    const crm = new Crm({ baseUrl: 'http://crm.invalid', headers: { 'x-token': 'very\nsecret' } })
    const error = await crm.health.get().catch((e) => e)
    expect(error).toBeInstanceOf(CrmError)
    expect(String(error.stack)).not.toContain('secret')
  })

  it('refuses an idempotency key that cannot be sent with a CrmError', async () => {
    const crm = new Crm({ baseUrl: 'http://crm.invalid', apiKey })
    const error = await crm.customers.create({ firstName: 'Ada' }, { idempotencyKey: '✓' }).catch((e) => e)
    expect(error).toBeInstanceOf(CrmError)
  })

  it('refuses two credentials at once, and a baseUrl that holds one', () => {
    expect(() => new Crm({ baseUrl: 'http://crm.invalid', apiKey, accessToken: 'x' })).toThrow(CrmError)
    expect(() => new Crm({ baseUrl: 'http://user:geheim@crm.invalid' })).toThrow(/^(?!.*geheim)/)
    expect(() => new Crm({ baseUrl: 'ftp://crm.invalid' })).toThrow(CrmError)
    expect(() => new Crm({ baseUrl: 'crm.example.com' })).toThrow(CrmError)
  })
})

it('names the missing permission in the message', async () => {
  const { baseUrl } = await scriptedServer(refuse(403, 'PERMISSION_DENIED', { required: 'read:customers' }))
  const error = await new Crm({ baseUrl, apiKey }).customers.get('a').catch((e) => e)
  expect(error.message).toBe(
    'GET /api/v1/customers/a: Refused with PERMISSION_DENIED (PERMISSION_DENIED). Needed: read:customers [request req_00000001]',
  )
})

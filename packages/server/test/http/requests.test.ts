import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string

beforeAll(async () => {
  token = (await registerTenant(running.url)).token
})

const send = (options: Parameters<typeof call>[1]) => call(running.url, { token, ...options })
const customers = '/api/v1/customers'

describe('bodies', () => {
  it.each([
    ['broken JSON', { rawBody: '{"firstName":' }, 400, 'INVALID_JSON'],
    ['bytes that are not UTF-8', { rawBody: new Uint8Array([0x22, 0xff, 0x22]) }, 400, 'INVALID_JSON'],
    [
      'another content type',
      { rawBody: 'a=b', headers: { 'content-type': 'text/plain' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'another charset',
      { rawBody: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a compressed body',
      { rawBody: '{}', headers: { 'content-encoding': 'gzip' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['more than 1 MB', { body: { firstName: 'x'.repeat(1024 * 1024) } }, 413, 'PAYLOAD_TOO_LARGE'],
  ])('refuses %s', async (_name, part, status, code) => {
    const response = await send({ method: 'POST', path: customers, ...part })
    expect(response.status).toBe(status)
    expect(response.body).toMatchObject({
      success: false,
      code,
      error: expect.any(String),
      requestId: expect.any(String),
    })
  })

  it('refuses more than 1 MB whose length was not announced', async () => {
    const chunk = new TextEncoder().encode(' '.repeat(64 * 1024))
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        sent += 1
        if (sent > 32) controller.close()
        else controller.enqueue(chunk)
      },
    })
    const response = await fetch(running.url + customers, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    })
    expect(response.status).toBe(413)
  })

  it('names each invalid field with its rule, all at once, and never repeats a value [error.validation own.details]', async () => {
    const secret = 'value-that-must-not-come-back'
    const body = {
      firstName: 7,
      email: secret,
      tier: secret,
      tags: ['a,b'],
      tenantId: secret,
      customFields: [],
    }
    const response = await send({ method: 'POST', path: customers, body })
    expect(response.status).toBe(422)
    expect(
      response.body.details.map(({ field, rule }: { field: string; rule: string }) => [field, rule]).sort(),
    ).toEqual([
      ['customFields', 'type'],
      ['email', 'email'],
      ['firstName', 'type'],
      ['tags.0', 'comma'],
      ['tenantId', 'unknown_field'],
      ['tier', 'enum'],
    ])
    expect(JSON.stringify(response.body)).not.toContain(secret)
  })

  it('checks rules across fields also when single fields are invalid [own.details]', async () => {
    const response = await send({ method: 'POST', path: customers, body: { firstName: ' ', tier: 'x' } })
    const rules = response.body.details.map(({ rule }: { rule: string }) => rule)
    expect(rules).toEqual(['enum', 'at_least_one'])
  })

  it('refuses keys that would reach a prototype, and nesting beyond 32 levels', async () => {
    const nested = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`
    for (const [rawBody, rule] of [
      ['{"firstName":"A","customFields":{"__proto__":{"x":1}}}', 'forbidden_key'],
      ['{"firstName":"A","customFields":{"a":{"constructor":1}}}', 'forbidden_key'],
      [`{"firstName":"A","customFields":${nested}}`, 'depth'],
    ] as const) {
      const response = await send({ method: 'POST', path: customers, rawBody })
      expect(response.status).toBe(422)
      expect(response.body.details).toMatchObject([{ rule }])
    }
  })

  it('treats a missing body as an empty one and names the required fields', async () => {
    const response = await send({ method: 'POST', path: '/api/v1/conversations' })
    expect(response.status).toBe(422)
    expect(response.body.details).toMatchObject([
      { field: 'subject', rule: 'required' },
      { field: 'inboxId', rule: 'required' },
    ])
  })

  it('closes the connection of a caller that disconnects within a body, and serves the next one', async () => {
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`POST ${customers} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`)
    socket.write('Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"fir')
    socket.destroy()
    expect((await send({ path: '/api/v1/health' })).status).toBe(200)
  })
})

describe('routes', () => {
  it('responds to an unknown path with 404 and to an unknown method with 405 and the allowed ones [error.notFound]', async () => {
    expect((await send({ path: '/api/v1/nothing' })).body.code).toBe('NOT_FOUND')
    expect((await send({ path: '/nothing' })).body.code).toBe('NOT_FOUND')
    const response = await send({ method: 'PATCH', path: customers })
    expect([response.status, response.body.code, response.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'GET, POST',
    ])
  })

  it('serves paths without version as deprecated, and marks no canonical path [version.deprecation]', async () => {
    const legacy = await send({ path: '/api/customers' })
    expect(legacy.status).toBe(200)
    expect(legacy.headers.get('x-api-deprecated')).toBe('true')
    expect(legacy.headers.get('x-api-sunset')).toBe('2028-01-01')
    expect(legacy.headers.get('warning')).toMatch(/^299 - "/)
    for (const path of [customers, '/api/auth/me', '/api/v1/auth/me', '/api/tenant/api-keys']) {
      const canonical = await send({ path })
      expect([path, canonical.status, canonical.headers.get('x-api-deprecated')]).toEqual([path, 200, null])
    }
  })

  it('refuses a version that does not exist, before any other check', async () => {
    const response = await call(running.url, { path: customers, headers: { 'x-api-version': 'v2' } })
    expect([response.status, response.body.code]).toEqual([400, 'UNSUPPORTED_VERSION'])
    expect((await send({ path: customers, headers: { 'x-api-version': 'v1' } })).status).toBe(200)
  })

  it('keeps a valid request id and replaces an invalid one', async () => {
    const good = await send({ path: customers, headers: { 'x-request-id': 'my-request-1' } })
    expect(good.headers.get('x-request-id')).toBe('my-request-1')
    const bad = await send({ path: '/api/v1/nothing', headers: { 'x-request-id': 'no good' } })
    expect(bad.body.requestId).not.toBe('no good')
    expect(bad.body.requestId).toBe(bad.headers.get('x-request-id'))
  })
})

describe('a body with many failures', () => {
  const allOf = async (path: string, body: object) => {
    const { status, body: refusal } = await send({ method: 'POST', path, body })
    return [status, refusal.details.map(({ field }: { field: string }) => field)]
  }

  it('gets all of them at once, also failures that no schema sees', async () => {
    const key = {
      permissions: [],
      expiresAt: '2020-01-01T00:00:00Z',
      ipWhitelist: ['10.0.0.0/33'],
      rotationPolicy: { enabled: true, intervalDays: 7, notifyDaysBefore: 7 },
    }
    expect(await allOf('/api/tenant/api-keys', key)).toEqual([
      422,
      ['name', 'permissions', 'expiresAt', 'rotationPolicy.notifyDaysBefore', 'ipWhitelist.0'],
    ])
    const hook = { name: '', url: 'http://example.com', events: ['made.up'], headers: { Host: 'x' } }
    expect(await allOf('/api/v1/webhooks', hook)).toEqual([422, ['name', 'events.0', 'url', 'headers.Host']])
  })
})

describe('credentials', () => {
  it('a key is accepted in either header, and two different keys are refused [auth.keyHeaders]', async () => {
    const key = await createKey(running.url, token, ['read:customers'])
    const other = await createKey(running.url, token, ['read:customers'])
    const path = customers
    expect((await call(running.url, { path, token: key })).status).toBe(200)
    expect((await call(running.url, { path, headers: { 'x-api-key': key } })).status).toBe(200)
    expect((await call(running.url, { path, token: key, headers: { 'x-api-key': key } })).status).toBe(200)
    const differing = await call(running.url, { path, token: key, headers: { 'x-api-key': other } })
    expect([differing.status, differing.body.code]).toEqual([401, 'AUTH_REQUIRED'])
    const nothing = await call(running.url, { path })
    const made = await call(running.url, { path, token: 'made.up.token' })
    expect([nothing, made, differing].map(({ body }) => body.error)).toEqual([
      expect.stringContaining('send Authorization: Bearer'),
      'The access token is not valid or has expired',
      'Authorization and X-API-Key hold different credentials',
    ])
  })

  it('a revoked, expired, restricted or deleted key is refused at the very next request [state.keyRevoked state.keyDeleted state.keyExpired auth.expiry]', async () => {
    const created = async (extra: object) => {
      const body = { name: 'Key', permissions: ['read:customers'], ...extra }
      return (await send({ method: 'POST', path: '/api/tenant/api-keys', body })).body.data
    }
    const use = async (key: string) => {
      const response = await call(running.url, { path: customers, token: key })
      return [response.status, response.body.code]
    }
    const revoked = await created({})
    expect(await use(revoked.key)).toEqual([200, undefined])
    await send({ method: 'POST', path: `/api/tenant/api-keys/${revoked._id}/revoke` })
    expect(await use(revoked.key)).toEqual([401, 'API_KEY_INACTIVE'])
    await send({ method: 'PUT', path: `/api/tenant/api-keys/${revoked._id}`, body: { isActive: true } })
    expect(await use(revoked.key)).toEqual([200, undefined])
    await send({
      method: 'PUT',
      path: `/api/tenant/api-keys/${revoked._id}`,
      body: { permissions: ['read:analytics'] },
    })
    expect(await use(revoked.key)).toEqual([403, 'PERMISSION_DENIED'])
    await send({ method: 'DELETE', path: `/api/tenant/api-keys/${revoked._id}` })
    expect(await use(revoked.key)).toEqual([401, 'API_KEY_INVALID'])

    const elsewhere = await created({ ipWhitelist: ['192.0.2.0/24', '2001:db8::/32'] })
    expect(await use(elsewhere.key)).toEqual([403, 'PERMISSION_DENIED'])
    const here = await created({ ipWhitelist: ['127.0.0.1'] })
    expect(await use(here.key)).toEqual([200, undefined])
    const expiresAt = new Date(Date.now() + 3_000).toISOString()
    const expiring = await created({ expiresAt })
    while (new Date().toISOString() < expiresAt) await use(here.key)
    expect(await use(expiring.key)).toEqual([401, 'API_KEY_EXPIRED'])
  })

  it('a key, a hash or a secret is never shown again [auth.keyOnce]', async () => {
    const body = { name: 'Shown once', permissions: ['read:customers'] }
    const { data } = (await send({ method: 'POST', path: '/api/tenant/api-keys', body })).body
    const shown = await send({ path: `/api/tenant/api-keys/${data._id}` })
    expect(shown.body.data).toEqual({ ...data, key: undefined })
    expect(shown.body.data).toMatchObject({ keyPrefix: 'sk_live_', keyHint: data.key.slice(36, 40) })
    expect(JSON.stringify(shown.body)).not.toContain('keyHash')
  })

  it('a white list refuses entries that are no address', async () => {
    const body = {
      name: 'Key',
      permissions: ['read:customers'],
      ipWhitelist: ['10.0.0.1', '10.0.0.300', '0x7f.1', '::1/200'],
    }
    const response = await send({ method: 'POST', path: '/api/tenant/api-keys', body })
    expect(response.body.details.map(({ field }: { field: string }) => field)).toEqual([
      'ipWhitelist.1',
      'ipWhitelist.2',
      'ipWhitelist.3',
    ])
  })
})

import { type AnyOperation, type Operation, operations } from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestOf, strongestTokens, withoutRequestId } from '../isolation/credentials.ts'
import { samples } from '../isolation/samples.ts'
import { countsRequests } from '../isolation/tenant-snapshot.ts'
import { createTenantWorld, type TenantWorld } from '../isolation/world.ts'
import { type Call, type CallResponse, call } from '../support/call.ts'
import type { RunningService } from '../support/start-service.ts'
import { startServiceWithCrm } from '../support/start-with-crm.ts'

// The rules for requests of contract 1, contract 2 and contract 4, tried on every operation.

let running: RunningService
let world: TenantWorld
beforeAll(async () => {
  running = await startServiceWithCrm()
  world = await createTenantWorld(running)
})
afterAll(() => running.stop())

const send = (request: Call) => call(running.url, request)
const everyOperation = operations.map((operation) => [operation.id, operation] as const)
const withJson = everyOperation.filter(
  ([, operation]) => operation.method !== 'GET' && !('upload' in operation),
)
const versioned = everyOperation.filter(([, { path }]) => path.startsWith('/api/v1/'))

/** A request that would succeed. */
function good(operation: AnyOperation, tenant = world): Call {
  const sample = samples[operation.id](tenant)
  const token = strongestTokens(operation, tenant)[0]
  return { ...requestOf(operation, sample), ...(token !== undefined && { token }) }
}

/**
 * The same, but it changes nothing and its response is JSON: it names an unknown resource where it could change one.
 */
function harmless(operation: AnyOperation, tenant = world): Call {
  const request = good(operation, tenant)
  if ('isStream' in operation) return { ...request, path: `${operation.path}?after=made-up` }
  if ('download' in operation) {
    return { ...request, path: `${operation.path.replaceAll(/\{\w+\}/g, 'none')}?format=none` }
  }
  if (operation.method === 'GET') return request
  return { ...request, form: undefined, body: { ...(request.body as object), surprise: 1 } }
}

function expectCommonHeaders({ headers, status, body }: CallResponse, operation?: Operation): void {
  // Browsers may keep what the chat widget shows of its inbox, and nothing else.
  const isKept = operation?.cacheSeconds !== undefined && status < 300
  const cached = isKept ? `public, max-age=${operation.cacheSeconds}` : 'no-store'
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe(cached)
  expect(headers.get('x-api-version')).toBe('v1')
  expect(headers.get('x-powered-by')).toBeNull()
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_-]{8,64}$/)
  if (status < 400) return
  expect(body).toMatchObject({ success: false, error: expect.any(String), code: expect.any(String) })
  expect(body.requestId).toBe(headers.get('x-request-id'))
}

const deprecation = ({ headers }: CallResponse) =>
  ['x-api-deprecated', 'x-api-sunset', 'warning'].map((name) => headers.get(name))
const notDeprecated = [null, null, null]

describe.each(everyOperation)('%s', (_id, operation) => {
  it('sends the common headers with a success and with every kind of refusal [conventions error.envelope version.header own.headers]', async () => {
    const asked = harmless(operation)
    const responses = [
      await send(asked),
      await send({ ...asked, token: 'made-up' }),
      await send({ ...asked, headers: { 'x-api-version': 'v2' } }),
      await send({ ...asked, method: 'OPTIONS', body: undefined }),
    ]
    for (const response of responses) expectCommonHeaders(response, operation)
    expect(responses[2]).toMatchObject({ status: 400, body: { code: 'UNSUPPORTED_VERSION' } })
    expect(responses[3]).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } })
    if (operation.auth.kind !== 'none')
      expect(responses[1]).toMatchObject({ status: 401, body: { code: 'AUTH_REQUIRED' } })
  })

  it('accepts the version in the header, and a request without one [version.header version.default]', async () => {
    const asked = harmless(operation)
    const [without, named] = [await send(asked), await send({ ...asked, headers: { 'x-api-version': 'v1' } })]
    expect(named.status).toBe(without.status)
  })
})

describe('with limits on', () => {
  let limited: RunningService
  beforeAll(async () => {
    limited = await startServiceWithCrm({ CRM_RATE_LIMITS: 'on' })
  })
  afterAll(() => limited.stop())

  it('every response to a good credential names its limit in both forms [own.limitHeaders]', async () => {
    const theirs = await createTenantWorld(limited)
    for (const [id, operation] of everyOperation) {
      if (operation.auth.kind === 'none') continue
      const { headers } = await call(limited.url, harmless(operation, theirs))
      for (const name of ['limit', 'remaining', 'reset'])
        expect(headers.get(`x-ratelimit-${name}`), `${id} ${name}`).toMatch(/^\d+$/)
      expect(headers.get('ratelimit-policy'), id).toMatch(/^"[\w-]+";q=\d+;w=\d+$/)
      expect(headers.get('ratelimit'), id).toMatch(/^"[\w-]+";r=\d+;t=\d+$/)
    }
  })
})

describe.each(withJson)('%s', (_id, operation) => {
  it.each([
    ['broken JSON', { rawBody: '{"name":' }, 400, 'INVALID_JSON'],
    ['a text', { rawBody: 'x', headers: { 'content-type': 'text/plain' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'a form',
      { rawBody: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['more than 1 MB', { rawBody: ' '.repeat(1024 * 1024 + 1) }, 413, 'PAYLOAD_TOO_LARGE'],
    ['a nest of 33', { rawBody: `${'{"a":'.repeat(33)}1${'}'.repeat(33)}` }, 422, 'VALIDATION_ERROR'],
    ['a key of the prototype', { rawBody: '{"__proto__":{"admin":true}}' }, 422, 'VALIDATION_ERROR'],
  ])('refuses %s [own.bodies]', async (_name, part, status, code) => {
    const { body: _body, ...asked } = good(operation)
    const response = await send({ ...asked, ...part })
    expect([response.status, response.body.code]).toEqual([status, code])
    expectCommonHeaders(response)
  })
})

describe('paths without a version', () => {
  it.each(versioned)(
    '%s works without a version, as deprecated [version.path version.legacy version.deprecation]',
    async (_id, operation) => {
      const asked = harmless(operation)
      const canonical = await send(asked)
      const legacy = await send({ ...asked, path: asked.path.replace('/api/v1/', '/api/') })
      expect(legacy.status).toBe(canonical.status)
      const isConstant = operation.id !== 'health.get' && !countsRequests.has(operation.id)
      if (isConstant) expect(withoutRequestId(legacy)).toEqual(withoutRequestId(canonical))
      expect(deprecation(legacy)).toEqual(['true', '2028-01-01', expect.stringMatching(/^299 - ".+"$/)])
      expect(deprecation(canonical)).toEqual(notDeprecated)
      expectCommonHeaders(legacy, operation)
    },
  )

  it.each(everyOperation.filter(([, { path }]) => path.startsWith('/api/auth/')))(
    '%s is canonical without a version, and works under /api/v1 too, neither deprecated',
    async (_id, operation) => {
      const asked = harmless(operation)
      for (const path of [asked.path, asked.path.replace('/api/', '/api/v1/')]) {
        const response = await send({ ...asked, path })
        expect(response.status).not.toBe(404)
        expect(deprecation(response)).toEqual(notDeprecated)
      }
    },
  )

  it('are canonical for operations that never had a version, which no version opens [version.unversioned]', async () => {
    const unversioned = everyOperation.filter(
      ([, { path }]) => !path.startsWith('/api/v1/') && !path.startsWith('/api/auth/'),
    )
    expect(unversioned.length).toBeGreaterThan(8)
    for (const [, operation] of unversioned) {
      const asked = harmless(operation)
      expect(deprecation(await send(asked))).toEqual(notDeprecated)
      expect((await send({ ...asked, path: asked.path.replace('/api/', '/api/v1/') })).status).toBe(404)
    }
  })
})

it('every path refuses the methods it does not have, and names those it has [own.methods]', async () => {
  const paths = Map.groupBy(operations as readonly Operation[], ({ path }) => path)
  for (const [path, declared] of paths) {
    const taken = declared.map(({ method }) => method).sort()
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (taken.includes(method as Operation['method'])) continue
      const response = await send({ method, path: path.replaceAll(/\{\w+\}/g, 'any') })
      expect([path, method, response.status]).toEqual([path, method, 405])
      expect(response.headers.get('allow')?.split(', ').sort()).toEqual(taken)
    }
  }
})

it('a request id of 8 to 64 letters, digits, _ and - is kept; any other is replaced [own.headers]', async () => {
  const path = '/api/v1/nothing'
  for (const id of ['12345678', 'a-b_C-9z', 'x'.repeat(64)]) {
    const response = await send({ path, headers: { 'x-request-id': id } })
    expect([response.headers.get('x-request-id'), response.body.requestId]).toEqual([id, id])
  }
  for (const id of [
    '1234567',
    'x'.repeat(65),
    'with blank',
    'dotted.id',
    '<script>',
    'ümlaut12'.replace('ü', '%C3'),
  ]) {
    const response = await send({ path, headers: { 'x-request-id': id } })
    expect(response.headers.get('x-request-id')).not.toBe(id)
    expectCommonHeaders(response)
  }
})

it('a GET ignores query parameters that it does not know [own.unknownFields]', async () => {
  for (const [id, operation] of everyOperation) {
    if (operation.method !== 'GET' || 'isStream' in operation) continue
    const asked = good(operation)
    const path = `${asked.path}${asked.path.includes('?') ? '&' : '?'}surprise=1&__proto__=1&constructor[a]=1`
    expect([id, (await send({ ...asked, path })).status]).toEqual([id, 200])
  }
})

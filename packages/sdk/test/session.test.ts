import { expect, it } from 'vitest'
import { AuthenticationError, Crm, ServerError } from '../src/index.ts'
import { type Behaviour, ok, refuse, type SeenRequest, scriptedServer } from './support/scripted-server.ts'

const session = { email: 'ada@example.com', password: 'a long password' }
const refused = refuse(401, 'AUTH_REQUIRED')

interface AuthOptions {
  /** Returns whether an access token works. */
  isGood: (token: string) => boolean
  expiresIn?: number
  canRefresh?: boolean
}

/** Signs in and renews. */
function authServer(options: AuthOptions): Behaviour {
  let count = 0
  return (response, request) => {
    const isSignIn = request.url === '/api/auth/login'
    if (isSignIn || (request.url === '/api/auth/refresh' && options.canRefresh !== false)) {
      count++
      const tokens = { accessToken: `access-${count}`, refreshToken: `refresh-${count}` }
      return ok({ ...tokens, tokenType: 'Bearer', expiresIn: options.expiresIn ?? 900 })(response, request)
    }
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    return (options.isGood(token) ? ok({ _id: 'cus_1' }) : refused)(response, request)
  }
}

function paths(seen: readonly SeenRequest[]): string[] {
  return seen.map(({ url }) => url.replace('/api/', ''))
}

it('signs in once for many calls at the same time', async () => {
  const { baseUrl, seen } = await scriptedServer(authServer({ isGood: () => true }))
  const crm = new Crm({ baseUrl, session })
  await Promise.all([crm.customers.get('a'), crm.customers.get('b'), crm.customers.get('c')])
  expect(paths(seen).filter((path) => path.startsWith('auth'))).toEqual(['auth/login'])
  expect(seen[0]?.body).toBe(JSON.stringify(session))
})

it('renews the session once for all calls that were refused, and sends each again with its body', async () => {
  const { baseUrl, seen } = await scriptedServer(authServer({ isGood: (token) => token !== 'access-1' }))
  const crm = new Crm({ baseUrl, session })
  await Promise.all([crm.customers.create({ firstName: 'Ada' }), crm.customers.create({ firstName: 'Bob' })])
  expect(paths(seen).filter((path) => path.startsWith('auth'))).toEqual(['auth/login', 'auth/refresh'])
  const bodies = seen.filter(({ url }) => url.endsWith('customers')).map(({ body }) => body)
  expect(bodies.sort()).toEqual([
    '{"firstName":"Ada"}',
    '{"firstName":"Ada"}',
    '{"firstName":"Bob"}',
    '{"firstName":"Bob"}',
  ])
})

it('renews before the token ends', async () => {
  const { baseUrl, seen } = await scriptedServer(authServer({ isGood: () => true, expiresIn: 5 }))
  const crm = new Crm({ baseUrl, session })
  await crm.customers.get('a')
  await crm.customers.get('a')
  expect(paths(seen)).toEqual(['auth/login', 'v1/customers/a', 'auth/refresh', 'v1/customers/a'])
})

it('signs in again when the session is over', async () => {
  const { baseUrl, seen } = await scriptedServer(
    authServer({ isGood: (token) => token === 'access-2', canRefresh: false }),
  )
  await new Crm({ baseUrl, session }).customers.get('a')
  expect(paths(seen)).toEqual([
    'auth/login',
    'v1/customers/a',
    'auth/refresh',
    'auth/login',
    'v1/customers/a',
  ])
})

it('gives up when a fresh token is refused as well', async () => {
  const { baseUrl, seen } = await scriptedServer(authServer({ isGood: () => false }))
  await expect(new Crm({ baseUrl, session }).customers.get('a')).rejects.toBeInstanceOf(AuthenticationError)
  expect(paths(seen)).toEqual(['auth/login', 'v1/customers/a', 'auth/refresh', 'v1/customers/a'])
})

it('reports a wrong password after one attempt', async () => {
  const { baseUrl, seen } = await scriptedServer(refused)
  await expect(new Crm({ baseUrl, session }).customers.get('a')).rejects.toBeInstanceOf(AuthenticationError)
  expect(seen).toHaveLength(1)
})

it('does not renew an API key', async () => {
  const { baseUrl, seen } = await scriptedServer(refused)
  await expect(new Crm({ baseUrl, apiKey: 'sk_live_a' }).customers.get('a')).rejects.toBeInstanceOf(
    AuthenticationError,
  )
  expect(seen).toHaveLength(1)
})

it('gives each call that waits for a failed renewal an error of its own, with its own attempts', async () => {
  // Both calls are refused with the first token; the renewal that they share fails.
  const { baseUrl } = await scriptedServer((response, request) => {
    if (request.url === '/api/auth/login') {
      return ok({ accessToken: 'first', refreshToken: 'r', expiresIn: 900 })(response, request)
    }
    return refuse(request.url === '/api/auth/refresh' ? 500 : 401, 'SOME_CODE')(response, request)
  })
  const crm = new Crm({ baseUrl, session })
  const [one, other] = await Promise.all(
    ['a', 'b'].map((id) => crm.customers.get(id, { maxRetries: 0 }).catch((error) => error)),
  )
  expect(one).toBeInstanceOf(ServerError)
  expect(one).not.toBe(other)
  expect(one.cause).toBe(other.cause)
  for (const { attempts } of [one, other]) {
    expect(attempts).toEqual([{ status: 401, outcome: 'SOME_CODE', endedAfterMs: expect.any(Number) }])
  }
})

it('keeps the class of a failed sign-in for every call that waited for it', async () => {
  const { baseUrl, seen } = await scriptedServer(refused)
  const crm = new Crm({ baseUrl, session })
  const errors = await Promise.all(['a', 'b'].map((id) => crm.customers.get(id).catch((error) => error)))
  expect(new Set(errors).size).toBe(2)
  for (const error of errors) {
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({
      status: 401,
      code: 'AUTH_REQUIRED',
      requestId: 'req_00000001',
      attempts: [],
    })
  }
  expect(seen).toHaveLength(1)
})

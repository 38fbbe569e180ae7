import { describe, expect, it } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, password, registerTenant } from '../support/call.ts'
import { startService } from '../support/start-service.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

const post = (path: string, body: unknown, token?: string) =>
  call(running.url, { method: 'POST', path, body, token })
const me = (token: string) => call(running.url, { path: '/api/auth/me', token })

describe('sessions', () => {
  it('signs in, and gives one response to a wrong password and to an unknown e-mail [auth.session]', async () => {
    const { email } = await registerTenant(running.url)
    const right = await post('/api/auth/login', { email: email.toUpperCase(), password })
    expect(right.body.data).toMatchObject({
      tokenType: 'Bearer',
      expiresIn: 900,
      user: { email, role: 'owner' },
    })
    const [wrong, unknown] = await Promise.all([
      post('/api/auth/login', { email, password: 'not the password' }),
      post('/api/auth/login', { email: 'nobody@example.com', password }),
    ])
    expect([wrong.status, wrong.body.code]).toEqual([401, 'AUTH_REQUIRED'])
    expect({ ...wrong.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
  })

  it('rotates refresh tokens, repeats the last response for ten seconds, and ends the session on a stolen token', async () => {
    const { refreshToken: first } = await registerTenant(running.url)
    const refresh = (refreshToken: string) => post('/api/auth/refresh', { refreshToken })
    const second = (await refresh(first)).body.data
    const again = (await refresh(first)).body.data
    expect(again.refreshToken).toBe(second.refreshToken)
    const third = (await refresh(second.refreshToken)).body.data
    expect((await me(third.accessToken)).status).toBe(200)
    expect((await refresh(first)).status).toBe(401)
    expect((await refresh(third.refreshToken)).status).toBe(401)
    expect((await me(third.accessToken)).status).toBe(401)
  })

  it('gives two simultaneous refreshes of one token the same child', async () => {
    const { refreshToken } = await registerTenant(running.url)
    const responses = await Promise.all([1, 2, 3].map(() => post('/api/auth/refresh', { refreshToken })))
    expect(new Set(responses.map(({ body }) => body.data.refreshToken)).size).toBe(1)
  })

  it('changes nothing for an invented refresh token of a real session', async () => {
    const { token, refreshToken } = await registerTenant(running.url)
    const invented = refreshToken.replace(/\.[^.]+$/, '.AAAA')
    expect((await post('/api/auth/refresh', { refreshToken: invented })).status).toBe(401)
    expect((await me(token)).status).toBe(200)
  })

  it('ends a session at once on logout, its access token included', async () => {
    const { token, refreshToken } = await registerTenant(running.url)
    expect((await post('/api/auth/logout', undefined, token)).status).toBe(200)
    expect((await me(token)).status).toBe(401)
    expect((await post('/api/auth/refresh', { refreshToken })).status).toBe(401)
  })

  it('ends all other sessions when the password changes', async () => {
    const { email, token } = await registerTenant(running.url)
    const other = (await post('/api/auth/login', { email, password })).body.data
    const change = (currentPassword: string) =>
      call(running.url, {
        method: 'PUT',
        path: '/api/auth/password',
        token,
        body: { currentPassword, newPassword: 'a new password' },
      })
    expect((await change('wrong password')).body.details).toMatchObject([
      { field: 'currentPassword', rule: 'mismatch' },
    ])
    expect((await change(password)).status).toBe(200)
    expect((await me(other.accessToken)).status).toBe(401)
    expect((await post('/api/auth/refresh', { refreshToken: other.refreshToken })).status).toBe(401)
    expect((await me(token)).status).toBe(200)
    expect((await post('/api/auth/login', { email, password })).status).toBe(401)
    expect((await post('/api/auth/login', { email, password: 'a new password' })).status).toBe(200)
  })
})

describe('a deactivated user', () => {
  it('loses access at once, and an activation brings none of their sessions back', async () => {
    const { token, tenant } = await registerTenant(running.url)
    const colleague = await addColleague(running, { tenantId: tenant._id, role: 'agent' })
    const setActive = (isActive: boolean) =>
      call(running.url, {
        method: 'PUT',
        path: `/api/v1/users/${colleague.userId}`,
        token,
        body: { isActive },
      })
    expect((await me(colleague.token)).status).toBe(200)
    await setActive(false)
    expect((await me(colleague.token)).status).toBe(401)
    expect((await setActive(true)).body.data.isActive).toBe(true)
    expect((await me(colleague.token)).status).toBe(401)
  })

  it('can sign in anew after an activation; an old refresh token stays refused', async () => {
    const first = await registerTenant(running.url)
    const boss = await addColleague(running, { tenantId: first.tenant._id, role: 'owner' })
    const setActive = (isActive: boolean) =>
      call(running.url, {
        method: 'PUT',
        path: `/api/v1/users/${first.user._id}`,
        token: boss.token,
        body: { isActive },
      })
    await setActive(false)
    await setActive(true)
    expect((await post('/api/auth/refresh', { refreshToken: first.refreshToken })).status).toBe(401)
    const login = await post('/api/auth/login', { email: first.email, password })
    expect((await me(login.body.data.accessToken)).status).toBe(200)
  })
})

describe('registration', () => {
  it('lets an identity register a second tenant only with its password, and the login then asks which one', async () => {
    const { email } = await registerTenant(running.url)
    const refused = await post('/api/auth/register', {
      tenantName: 'Second',
      email,
      password: 'another password',
    })
    expect(refused.status).toBe(401)
    const second = (await post('/api/auth/register', { tenantName: 'Second', email, password })).body.data
    const unclear = await post('/api/auth/login', { email, password })
    expect([unclear.status, unclear.body.details[0].field]).toEqual([422, 'tenantId'])
    const login = await post('/api/auth/login', { email, password, tenantId: second.tenant._id })
    expect(login.body.data.tenant.name).toBe('Second')
    expect((await me(login.body.data.accessToken)).body.data.memberships).toHaveLength(2)
  })

  it('is off in production, where secrets must be set', async () => {
    const secret = 'x'.repeat(40)
    const production = await startService({
      CRM_ENVIRONMENT: 'production',
      CRM_JWT_SECRET: secret,
      CRM_SECRETS_KEY: secret,
    })
    try {
      const body = { tenantName: 'No', email: 'no@example.com', password }
      const response = await call(production.url, { method: 'POST', path: '/api/auth/register', body })
      expect([response.status, response.body.code]).toEqual([403, 'PERMISSION_DENIED'])
    } finally {
      await production.stop()
    }
  })

  it('gives each tenant its default inbox and its owner', async () => {
    const { token, tenant } = await registerTenant(running.url)
    const inboxes = await call(running.url, { path: '/api/v1/inboxes', token })
    expect(inboxes.body.data).toMatchObject([{ isDefault: true, tenantId: tenant._id }])
    const users = await call(running.url, { path: '/api/v1/users', token })
    expect(users.body.data).toMatchObject([{ role: 'owner', isActive: true }])
    const { _id } = users.body.data[0]
    const demoted = await call(running.url, {
      method: 'PUT',
      path: `/api/v1/users/${_id}`,
      token,
      body: { role: 'admin' },
    })
    expect([demoted.status, demoted.body.code]).toEqual([409, 'INVALID_STATE'])
  })
})

it('GET /api/auth/me describes the API key that calls it: its name, tenant and permissions, and no user', async () => {
  const { token, tenant } = await registerTenant(running.url)
  const key = await createKey(running.url, token, ['read:customers', 'webhook:manage'])
  const { status, body } = await me(key)
  expect(status).toBe(200)
  expect(body.data).toEqual({
    user: null,
    tenant: { _id: tenant._id, name: tenant.name },
    memberships: [],
    apiKey: {
      _id: expect.any(String),
      name: 'Key with 2 permissions',
      environment: expect.any(String),
      permissions: ['read:customers', 'webhook:manage'],
      expiresAt: null,
    },
  })
  expect((await me(token)).body.data).toMatchObject({ apiKey: null, user: { tenantId: tenant._id } })
})

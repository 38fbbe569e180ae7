import { describe, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const service = useService()

const post = (path: string, body?: unknown, token?: string) =>
  call(service.url, { method: 'POST', path, ...(body !== undefined && { body }), ...(token && { token }) })
const invite = (token: string, body: object) => post('/api/v1/users', body, token)
const accept = (inviteToken: string, secret = password) =>
  post('/api/auth/accept-invite', { token: inviteToken, password: secret })
const login = (body: object) => post('/api/auth/login', body)

describe('an invitation', () => {
  test('an invitation makes an inactive user, and its accepted token makes a session with the invited role [own.users]', async () => {
    const { token } = await registerTenant(service.url)
    const email = 'Grace.One@example.com'
    const invited = await invite(token, { email, role: 'agent', firstName: 'Grace' })
    expect(invited.status).toBe(201)
    expect(invited.body.data).toMatchObject({ email, role: 'agent', firstName: 'Grace', isActive: false })
    const { _id, inviteToken } = invited.body.data
    expect((await login({ email, password })).status).toBe(401)

    const accepted = await accept(inviteToken)
    expect(accepted.status).toBe(200)
    expect(accepted.body.data.user).toMatchObject({ _id, role: 'agent', isActive: true })
    expect(JSON.stringify(accepted.body)).not.toMatch(/hash|inviteToken|invitedBy|mailedAt/i)
    const session = accepted.body.data.accessToken
    expect((await call(service.url, { path: '/api/v1/users/me', token: session })).body.data._id).toBe(_id)
    expect((await login({ email: 'grace.one@EXAMPLE.com', password })).status).toBe(200)
    // A used token is refused like an invented one.
    expect((await accept(inviteToken)).status).toBe(401)
  })

  test('its token names the team, the inviter and the address, as long as it can be accepted', async () => {
    const owner = await registerTenant(service.url)
    await call(service.url, {
      method: 'PUT',
      path: '/api/v1/users/me',
      token: owner.token,
      body: { firstName: 'Ada', lastName: 'Byron' },
    })
    const email = 'named@example.com'
    const { body } = await invite(owner.token, { email, role: 'agent', firstName: 'Grace' })
    const { inviteToken, inviteExpiresAt, _id } = body.data
    const ask = (token: string) => post('/api/auth/invitation', { token })
    const shown = async () =>
      (await call(service.url, { path: `/api/v1/users/${_id}`, token: owner.token })).body.data
    expect(await shown()).toMatchObject({ isActive: false, inviteExpiresAt })
    expect(await ask(inviteToken)).toMatchObject({ status: 200 })
    expect((await ask(inviteToken)).body.data).toEqual({
      tenant: { name: owner.tenant.name },
      inviter: { name: 'Ada Byron' },
      email,
      firstName: 'Grace',
      lastName: null,
      expiresAt: inviteExpiresAt,
    })
    for (const wrong of [`${inviteToken}x`, 'inv_a.b.c.d'])
      expect((await ask(wrong)).body).toMatchObject({ code: 'AUTH_REQUIRED' })
    // A name of the invitation stays; one that it does not have is the person's.
    const joining = { token: inviteToken, password, firstName: 'Somebody', lastName: 'Hopper' }
    const joined = await post('/api/auth/accept-invite', joining)
    expect(joined.body.data.user).toMatchObject({ _id, firstName: 'Grace', lastName: 'Hopper' })
    expect((await ask(inviteToken)).status).toBe(401)
    expect(await shown()).toMatchObject({ isActive: true, inviteExpiresAt: null })
    const { body: events } = await call(service.url, {
      path: `/api/v1/events?types=user.updated&limit=5`,
      token: owner.token,
    })
    const ofJoining = events.data.find((one: { data: { _id: string } }) => one.data._id === _id)
    expect(ofJoining.changes).toMatchObject({
      isActive: { from: false, to: true },
      inviteExpiresAt: { from: inviteExpiresAt, to: null },
      lastName: { to: 'Hopper' },
    })
  })

  test('an invented, changed or replaced token is refused with one response', async () => {
    const { token } = await registerTenant(service.url)
    const { body } = await invite(token, { email: 'two@example.com', role: 'viewer' })
    const { _id, inviteToken } = body.data
    const again = await post(`/api/v1/users/${_id}/invite`, undefined, token)
    expect(again.status).toBe(200)
    const responses = await Promise.all(
      [inviteToken, `${again.body.data.inviteToken}x`, 'inv_a.b.c.d', 'rt_x.y.z', '.'].map((wrong) =>
        accept(wrong),
      ),
    )
    for (const { status, body: refusal } of responses) {
      expect([status, refusal.code, refusal.error]).toEqual([
        401,
        'AUTH_REQUIRED',
        'The invitation is not valid any more: ask for a new one',
      ])
    }
    expect((await accept(again.body.data.inviteToken)).status).toBe(200)
    const late = await post(`/api/v1/users/${_id}/invite`, undefined, token)
    expect([late.status, late.body.code]).toEqual([409, 'INVALID_STATE'])
  })

  test('an invitation is accepted once, also by many simultaneous requests [own.users]', async () => {
    const { token } = await registerTenant(service.url)
    const { body } = await invite(token, { email: 'three@example.com', role: 'agent' })
    const responses = await Promise.all(Array.from({ length: 5 }, () => accept(body.data.inviteToken)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
  })

  test('one e-mail is one user of a tenant; other tenants may invite it too', async () => {
    const [a, b] = [await registerTenant(service.url), await registerTenant(service.url)]
    const email = 'both@example.com'
    const first = await invite(a.token, { email, role: 'agent' })
    const twice = await invite(a.token, { email: 'BOTH@example.com', role: 'viewer' })
    expect([twice.status, twice.body.code]).toEqual([409, 'CONFLICT'])
    expect(twice.body.error).toBe('A user of this tenant has this e-mail already')
    const second = await invite(b.token, { email, role: 'admin' })
    expect((await accept(first.body.data.inviteToken)).status).toBe(200)
    // The person signs in already: the token alone does not prove who they are.
    const stranger = await accept(second.body.data.inviteToken, 'not the right password')
    expect([stranger.status, stranger.body.code]).toEqual([401, 'AUTH_REQUIRED'])
    expect((await accept(second.body.data.inviteToken)).status).toBe(200)
    const which = await login({ email, password })
    expect(which.body.details).toMatchObject([{ field: 'tenantId' }])
    const { body } = await login({ email, password, tenantId: b.tenant._id })
    expect(body.data.user).toMatchObject({ role: 'admin', tenantId: b.tenant._id })
  })

  test('only the invited person makes the user active', async () => {
    const { token } = await registerTenant(service.url)
    const { body } = await invite(token, { email: 'five@example.com', role: 'agent' })
    const forced = await call(service.url, {
      method: 'PUT',
      path: `/api/v1/users/${body.data._id}`,
      token,
      body: { isActive: true },
    })
    expect([forced.status, forced.body.code]).toEqual([409, 'INVALID_STATE'])
  })

  test('an admin can invite everyone but an owner', async () => {
    const { token, tenant } = await registerTenant(service.url)
    const admin = await addColleague(service, { tenantId: tenant._id, role: 'admin' })
    expect((await invite(admin.token, { email: 'six@example.com', role: 'owner' })).status).toBe(403)
    expect((await invite(admin.token, { email: 'six@example.com', role: 'admin' })).status).toBe(201)
    const owner = await invite(token, { email: 'seven@example.com', role: 'owner' })
    expect(owner.status).toBe(201)
    expect((await post(`/api/v1/users/${owner.body.data._id}/invite`, undefined, admin.token)).status).toBe(
      403,
    )
  })
})

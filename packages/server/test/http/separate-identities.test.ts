// Runs on both databases by day: unique keys.

import { describe, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

// Several identities of one e-mail: contract 3. A stranger can use somebody else's e-mail before its owner does.

const running = useService()

const ownPassword = 'chosen by the owner of the e-mail'
const strangersPassword = 'chosen by a stranger'

const send = (method: string, path: string, { body, token }: { body?: unknown; token?: string } = {}) =>
  call(running.url, { method, path, body, token })
const login = (email: string, password: string, tenantId?: string) =>
  send('POST', '/api/auth/login', { body: { email, password, ...(tenantId && { tenantId }) } })
const accept = (token: string, password: string, separate?: boolean | null) =>
  send('POST', '/api/auth/accept-invite', {
    body: { token, password, ...(separate !== undefined && { separate }) },
  })
const register = (email: string, password: string) =>
  send('POST', '/api/auth/register', { body: { tenantName: 'Registered', email, password } })
const identitiesOf = (email: string) => running.service.storage.system.listIdentitiesByEmail(email)

/** A tenant of its own that has invited the e-mail. */
async function newInvitation(email: string) {
  const { token, tenant } = await registerTenant(running.url)
  const { body } = await send('POST', '/api/v1/users', { token, body: { email, role: 'agent' } })
  return {
    tenantId: tenant._id as string,
    name: tenant.name as string,
    inviteToken: body.data.inviteToken as string,
    remove: () => send('DELETE', `/api/v1/users/${body.data._id}`, { token }),
  }
}

async function newMembership(email: string, password: string, separate?: boolean) {
  const invitation = await newInvitation(email)
  const accepted = await accept(invitation.inviteToken, password, separate)
  expect(accepted.status).toBe(200)
  return { ...invitation, token: accepted.body.data.accessToken as string }
}

/** The tenants that a password opens, by signing in to each. */
async function opened(email: string, password: string, tenants: readonly string[]): Promise<string[]> {
  const responses = await Promise.all(tenants.map((tenantId) => login(email, password, tenantId)))
  return tenants.filter((_, index) => responses[index]?.status === 200)
}

const earlierUses: [string, (email: string) => Promise<string>][] = [
  [
    'has registered a tenant with it',
    async (email) => (await register(email, strangersPassword)).body.data.tenant._id,
  ],
  [
    'has accepted an invitation with it',
    async (email) => (await newMembership(email, strangersPassword)).tenantId,
  ],
]

describe('the owner of an e-mail accepts an invitation with their own password after a stranger', () => {
  test.each(earlierUses)('%s, and neither gets into the tenant of the other', async (title, use) => {
    const email = `${title.replaceAll(/\W+/g, '.')}@example.com`
    const strangers = await use(email)
    const { tenantId, inviteToken } = await newInvitation(email)
    for (const separate of [undefined, false, null]) {
      const refused = await accept(inviteToken, ownPassword, separate)
      expect([refused.status, refused.body.code]).toEqual([401, 'AUTH_REQUIRED'])
    }
    const accepted = await accept(inviteToken, ownPassword, true)
    expect([accepted.status, accepted.body.data?.user.tenantId]).toEqual([200, tenantId])

    const tenants = [strangers, tenantId]
    expect(await opened(email, ownPassword, tenants)).toEqual([tenantId])
    expect(await opened(email, strangersPassword, tenants)).toEqual([strangers])
    expect((await login(email, ownPassword)).body.data.user.tenantId).toBe(tenantId)
    expect((await login(email, strangersPassword)).body.data.user.tenantId).toBe(strangers)
  })

  test('has accepted more invitations with passwords of their own than a sign-in tries', async () => {
    const email = 'crowded@example.com'
    const strangers: string[] = []
    for (let n = 0; n < 6; n++)
      strangers.push((await newMembership(email, `${strangersPassword} ${n}`, true)).tenantId)
    const { tenantId } = await newMembership(email, ownPassword, true)
    expect(await opened(email, ownPassword, [...strangers, tenantId])).toEqual([tenantId])
    for (const [n, stranger] of strangers.entries())
      expect(await opened(email, `${strangersPassword} ${n}`, [...strangers, tenantId])).toEqual([stranger])
    // Without a tenant the sign-in tries the four oldest.
    expect((await login(email, ownPassword)).status).toBe(401)
    expect((await login(email, `${strangersPassword} 3`)).status).toBe(200)
  })
})

describe('a separate identity', () => {
  test('is not made with the password of an existing one, nor for a new e-mail', async () => {
    const email = 'known@example.com'
    const first = await newMembership(email, ownPassword, true)
    const second = await newMembership(email, ownPassword, true)
    const identities = await identitiesOf(email)
    expect(identities).toHaveLength(1)
    expect(identities[0]?.isSeparate).toBeUndefined()
    expect(await opened(email, ownPassword, [first.tenantId, second.tenantId])).toHaveLength(2)
  })

  test('is made once by two simultaneous acceptances with the same password', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `twice.${round}@example.com`
      await newMembership(email, strangersPassword)
      const both = [await newInvitation(email), await newInvitation(email)]
      const responses = await Promise.all(both.map((one) => accept(one.inviteToken, ownPassword, true)))
      expect(responses.map(({ status }) => status)).toEqual([200, 200])
      expect(await identitiesOf(email)).toHaveLength(2)
    }
  })

  test('outlives the first identity of its e-mail, and shares its salt with every later one', async () => {
    const email = 'outlives@example.com'
    const first = await newMembership(email, strangersPassword)
    const own = await newMembership(email, ownPassword, true)
    expect((await first.remove()).status).toBe(200)
    const changed = await send('PUT', '/api/auth/password', {
      token: own.token,
      body: { currentPassword: ownPassword, newPassword: `${ownPassword}, changed` },
    })
    expect(changed.status).toBe(200)
    await newMembership(email, strangersPassword, true)
    const hashes = (await identitiesOf(email)).map(({ passwordHash }) => passwordHash)
    expect(hashes).toHaveLength(2)
    // Everything but the digest: one computation then serves a sign-in, however many identities the e-mail has.
    expect(new Set(hashes.map((hash) => hash.slice(0, hash.lastIndexOf('$')))).size).toBe(1)
    expect(new Set(hashes).size).toBe(2)
    expect((await login(email, `${ownPassword}, changed`)).body.data.user.tenantId).toBe(own.tenantId)
    expect((await login(email, ownPassword)).status).toBe(401)
  })

  test('shares its salt also when the other identity is deleted at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const email = `salt.${round}@example.com`
      const first = await newMembership(email, strangersPassword)
      const [one, two] = [await newInvitation(email), await newInvitation(email)]
      const responses = await Promise.all([
        accept(one.inviteToken, ownPassword, true),
        first.remove(),
        accept(two.inviteToken, `${strangersPassword} again`, true),
      ])
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
      const hashes = (await identitiesOf(email)).map(({ passwordHash }) => passwordHash)
      expect(hashes).toHaveLength(2)
      expect(new Set(hashes.map((hash) => hash.slice(0, hash.lastIndexOf('$')))).size).toBe(1)
    }
  })
})

describe('a sign-in without a tenant', () => {
  test('names the tenants of a person with several, and only for the right password', async () => {
    const email = 'several@example.com'
    const [a, b] = [await newMembership(email, ownPassword), await newMembership(email, ownPassword)]
    await newMembership(email, strangersPassword, true)
    const which = await login(email, ownPassword)
    expect([which.status, which.body.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect(which.body.details).toMatchObject([{ field: 'tenantId', rule: 'required' }])
    expect(which.body.tenants).toEqual([a, b].map(({ tenantId: _id, name }) => ({ _id, name })))
    const wrong = await login(email, 'a wrong password')
    expect([wrong.status, wrong.body.tenants]).toEqual([401, undefined])
  })

  test('names the tenants of all identities that came to have the same password', async () => {
    const email = 'same.password@example.com'
    const a = await newMembership(email, strangersPassword)
    const b = await newMembership(email, ownPassword, true)
    await send('PUT', '/api/auth/password', {
      token: b.token,
      body: { currentPassword: ownPassword, newPassword: strangersPassword },
    })
    const which = await login(email, strangersPassword)
    expect(which.body.tenants.map(({ _id }: { _id: string }) => _id)).toEqual([a.tenantId, b.tenantId])
    expect(await opened(email, strangersPassword, [a.tenantId, b.tenantId])).toHaveLength(2)
  })
})

test('a registration and a sign-in with a wrong password are refused with the same words', async () => {
  const { email } = await registerTenant(running.url)
  const refusals = await Promise.all([
    register(email, 'not the password'),
    login(email, 'not the password'),
    login('nobody.at.all@example.com', 'not the password'),
  ])
  for (const { status, body } of refusals)
    expect({ status, ...body, requestId: '' }).toEqual({
      status: 401,
      ...refusals[1]?.body,
      requestId: '',
    })
})

import { describe, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

const personsPassword = 'chosen by the invited person'
const attackersPassword = 'chosen by the attacker'

const send = (method: string, path: string, { body, token }: { body?: unknown; token?: string } = {}) =>
  call(running.url, { method, path, body, token })
const login = (password: string, { email, tenantId }: { email: string; tenantId?: string }) =>
  send('POST', '/api/auth/login', { body: { email, password, ...(tenantId && { tenantId }) } })
const accept = (token: string, password: string) =>
  send('POST', '/api/auth/accept-invite', { body: { token, password } })

/** Returns the only identity of an e-mail. */
async function storedIdentity(email: string) {
  const [identity, ...others] = await running.service.storage.system.listIdentitiesByEmail(email)
  expect(others).toEqual([])
  return identity
}

/** A tenant of its own that has invited the person, and the actions of its admin on that user. */
async function newInvitation(email: string) {
  const { token, tenant } = await registerTenant(running.url)
  const { body } = await send('POST', '/api/v1/users', { token, body: { email, role: 'owner' } })
  const path = `/api/v1/users/${body.data._id}`
  return {
    tenantId: tenant._id as string,
    inviteToken: body.data.inviteToken as string,
    read: () => send('GET', path, { token }),
    setActive: (isActive: boolean) => send('PUT', path, { token, body: { isActive } }),
    inviteAgain: () => send('POST', `${path}/invite`, { token }),
    remove: () => send('DELETE', path, { token }),
  }
}

type Invitation = Awaited<ReturnType<typeof newInvitation>>

/** The same as `newInvitation`, after the person has accepted it. */
async function newMembership(email: string): Promise<Invitation> {
  const invitation = await newInvitation(email)
  expect((await accept(invitation.inviteToken, personsPassword)).status).toBe(200)
  return invitation
}

/** No operation suspends a tenant yet, so the test writes the row. */
async function setSuspended(tenantId: string, isSuspended: boolean): Promise<void> {
  const { system } = running.service.storage
  const tenant = await system.findTenant(tenantId)
  if (tenant === undefined) throw new Error(`No tenant ${tenantId}`)
  const write = { op: 'update', kind: 'tenants', id: tenantId, expectVersion: tenant.version } as const
  await system.commit(tenant.tenantId, { writes: [{ ...write, set: { isSuspended } }], events: [] })
}

const active = { isActive: true, isSuspended: false }
const inactive = { isActive: false, isSuspended: false }
const activeInSuspended = { isActive: true, isSuspended: true }
const inactiveInSuspended = { isActive: false, isSuspended: true }

describe('an invitation to the e-mail of somebody who', () => {
  test.each([
    ['is an active member elsewhere', [active]],
    ['is an inactive member elsewhere', [inactive]],
    ['is a member of a suspended tenant', [activeInSuspended]],
    ['is an inactive member of a suspended tenant', [inactiveInSuspended]],
    ['is an inactive member of two tenants', [inactive, inactive]],
    ['is inactive in one tenant, and active in a suspended one', [inactive, activeInSuspended]],
    ['is inactive in two tenants, both suspended', [inactiveInSuspended, inactiveInSuspended]],
  ])('%s changes no password and opens no other membership to the inviting admin', async (title, states) => {
    const email = `${title.replaceAll(/\W+/g, '.')}@example.com`
    const memberships: Invitation[] = []
    for (const state of states) {
      const membership = await newMembership(email)
      memberships.push(membership)
      if (!state.isActive) expect((await membership.setActive(false)).status).toBe(200)
    }
    for (const [index, { tenantId }] of memberships.entries())
      await setSuspended(tenantId, states[index]?.isSuspended === true)
    const before = await storedIdentity(email)

    const attackers = await newInvitation(email)
    const stolen = await accept(attackers.inviteToken, attackersPassword)
    expect([stolen.status, stolen.body.code]).toEqual([401, 'AUTH_REQUIRED'])
    expect(await storedIdentity(email)).toEqual(before)

    for (const { tenantId, setActive } of memberships) {
      await setSuspended(tenantId, false)
      expect((await setActive(true)).status).toBe(200)
      expect((await login(attackersPassword, { email, tenantId })).status).toBe(401)
      const signedIn = await login(personsPassword, { email, tenantId })
      expect([signedIn.status, signedIn.body.data?.user.role]).toEqual([200, 'owner'])
    }
    // The refusal has not consumed the invitation.
    expect((await accept(attackers.inviteToken, personsPassword)).status).toBe(200)
  })

  test('is an inactive member elsewhere is accepted with their own password, which stays', async () => {
    const email = 'on.leave@example.com'
    const elsewhere = await newMembership(email)
    await elsewhere.setActive(false)
    const before = await storedIdentity(email)
    const next = await newInvitation(email)
    expect((await accept(next.inviteToken, personsPassword)).status).toBe(200)
    expect(await storedIdentity(email)).toMatchObject({
      passwordHash: before?.passwordHash,
      passwordGeneration: before?.passwordGeneration,
    })
    const { body } = await login(personsPassword, { email })
    expect(body.data.user.tenantId).toBe(next.tenantId)
  })

  test('was deleted everywhere makes a new identity with the new password', async () => {
    const email = 'deleted@example.com'
    const elsewhere = await newMembership(email)
    const before = await storedIdentity(email)
    await elsewhere.setActive(false)
    expect((await elsewhere.remove()).status).toBe(200)
    const next = await newInvitation(email)
    expect((await accept(next.inviteToken, 'another new password')).status).toBe(200)
    expect((await storedIdentity(email))?._id).not.toBe(before?._id)
    expect((await login(personsPassword, { email })).status).toBe(401)
  })

  test('has not accepted an earlier one gives the inviting admin no way into that earlier tenant', async () => {
    const email = 'pending@example.com'
    const first = await newInvitation(email)
    const attackers = await newInvitation(email)
    expect((await accept(attackers.inviteToken, attackersPassword)).status).toBe(200)

    const { tenantId } = first
    expect((await login(attackersPassword, { email, tenantId })).status).toBe(401)
    const { body } = await login(attackersPassword, { email })
    const me = await send('GET', '/api/auth/me', { token: body.data.accessToken })
    const tenants = me.body.data.memberships.map(({ tenant }: { tenant: { _id: string } }) => tenant._id)
    expect(tenants).toEqual([attackers.tenantId])
    const activated = await first.setActive(true)
    expect([activated.status, activated.body.code]).toEqual([409, 'INVALID_STATE'])
    const again = await first.inviteAgain()
    expect(again.status).toBe(200)

    // The person's password differs from the identity's; the refusal leaves the invitation unchanged.
    const { inviteToken } = again.body.data
    expect((await accept(inviteToken, personsPassword)).status).toBe(401)
    expect((await first.read()).body.data.isActive).toBe(false)
    expect((await attackers.remove()).status).toBe(200)
    const accepted = await accept(inviteToken, personsPassword)
    expect([accepted.status, accepted.body.data?.user.tenantId]).toEqual([200, tenantId])
    expect((await login(attackersPassword, { email })).status).toBe(401)
  })
})

describe('an invitation that is accepted at the moment when', () => {
  test('the membership elsewhere is deactivated and activated again changes no password', async () => {
    const email = 'to.and.fro@example.com'
    const elsewhere = await newMembership(email)
    const before = await storedIdentity(email)
    for (let round = 0; round < 10; round++) {
      const attackers = await newInvitation(email)
      const [stolen, ...changed] = await Promise.all([
        accept(attackers.inviteToken, attackersPassword),
        elsewhere.setActive(false),
        elsewhere.setActive(true),
      ])
      expect(stolen.status).toBe(401)
      expect(changed.map(({ status }) => status)).toEqual([200, 200])
      await elsewhere.setActive(round % 2 === 0)
    }
    expect(await storedIdentity(email)).toEqual(before)
  })

  test('another invitation to the same new e-mail is accepted too makes one identity with the password of one', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `same.moment.${round}@example.com`
      const [ours, attackers] = [await newInvitation(email), await newInvitation(email)]
      const responses = await Promise.all([
        accept(ours.inviteToken, personsPassword),
        accept(attackers.inviteToken, attackersPassword),
      ])
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 401])
      const isOurs = responses[0].status === 200
      const [winner, loser] = isOurs ? [ours, attackers] : [attackers, ours]
      const [right, wrong] = isOurs
        ? [personsPassword, attackersPassword]
        : [attackersPassword, personsPassword]
      expect((await login(wrong, { email })).status).toBe(401)
      expect((await login(right, { email })).body.data.user.tenantId).toBe(winner.tenantId)
      expect((await loser.read()).body.data.isActive).toBe(false)
    }
  })

  test('the last membership elsewhere is deleted joins no identity by a password of its own choice', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `last.${round}@example.com`
      const elsewhere = await newMembership(email)
      await elsewhere.setActive(false)
      const before = await storedIdentity(email)
      const attackers = await newInvitation(email)
      const [stolen, removed] = await Promise.all([
        accept(attackers.inviteToken, attackersPassword),
        elsewhere.remove(),
      ])
      expect(removed.status).toBe(200)
      // Refused while the old identity exists; after its deletion the e-mail is new.
      const identity = await storedIdentity(email)
      expect([200, 401]).toContain(stolen.status)
      expect(identity === undefined).toBe(stolen.status === 401)
      expect(identity?._id).not.toBe(before?._id)
    }
  })

  test('the last membership elsewhere is deleted joins, with the person’s own password, an identity that stays', async () => {
    for (let round = 0; round < 10; round++) {
      const email = `joins.${round}@example.com`
      const elsewhere = await newMembership(email)
      const next = await newInvitation(email)
      const [accepted, removed] = await Promise.all([
        accept(next.inviteToken, personsPassword),
        elsewhere.remove(),
      ])
      expect([accepted.status, removed.status]).toEqual([200, 200])
      const { status, body } = await login(personsPassword, { email })
      expect([status, body.data?.user.tenantId]).toEqual([200, next.tenantId])
    }
  })
})

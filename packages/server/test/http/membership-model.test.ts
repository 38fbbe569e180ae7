// Runs on both databases by day: a random walk over stored states.

import { type Arbitrary, boolean, constant, constantFrom, nat, oneof, record } from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { runModel } from '../support/run-model.ts'
import { useService } from '../support/use-service.ts'

// The memberships that a password and a session open after any sequence of registrations, invitations, acceptances
// and changes, over three tenants and three people: contract 3, written a second time. A stranger who uses somebody's
// e-mail counts as one more password of it.

const running = useService()
let bosses: { token: string; tenantId: string }[]
beforeAll(async () => {
  bosses = []
  for (let n = 0; n < 3; n++) {
    const { token, tenant } = await registerTenant(running.url)
    bosses.push({ token, tenantId: tenant._id })
  }
})

const passwords = ['the first password', 'the second password', 'the third password'] as const
const identitiesTried = 4

interface Step {
  type: 'register' | 'invite' | 'accept' | 'deactivate' | 'reactivate' | 'leave' | 'changePassword'
  person: number
  tenant: number
  password: string
  separate: boolean
}

const stepOf = (type: Step['type'], weight: number) => ({
  weight,
  arbitrary: record({
    type: constant(type),
    person: nat(2),
    tenant: nat(2),
    password: constantFrom(...passwords),
    separate: boolean(),
  }),
})
const step: Arbitrary<Step> = oneof(
  stepOf('register', 1),
  stepOf('invite', 5),
  stepOf('accept', 6),
  stepOf('deactivate', 2),
  stepOf('reactivate', 2),
  stepOf('leave', 2),
  stepOf('changePassword', 2),
)

interface IdentityModel {
  email: string
  password: string
}
interface UserModel {
  _id: string
  tenantId: string
  email: string
  /** Undefined until the invitation is accepted. */
  identity: IdentityModel | undefined
  inviteToken: string
  isActive: boolean
}
interface SessionModel {
  token: string
  user: UserModel
  identity: IdentityModel
  isOver: boolean
}
interface Walk {
  emails: string[]
  users: UserModel[]
  sessions: SessionModel[]
  /** Oldest first. */
  identities: IdentityModel[]
}

const send = (method: string, path: string, { body, token }: { body?: unknown; token?: string } = {}) =>
  call(running.url, { method, path, body, token })
const login = (email: string, password: string, tenantId?: string) =>
  send('POST', '/api/auth/login', { body: { email, password, ...(tenantId && { tenantId }) } })

const membershipsOf = ({ users }: Walk, identity: IdentityModel) =>
  users.filter((user) => user.identity === identity)
const ofEmail = ({ identities }: Walk, email: string) =>
  identities.filter((identity) => identity.email === email).slice(0, identitiesTried)

/**
 * Returns the identity that an acceptance or a registration with this e-mail and password joins or makes; undefined
 * when it is refused.
 */
function joined(walk: Walk, email: string, { password, separate }: Step): IdentityModel | undefined {
  const known = ofEmail(walk, email)
  const own = known.find((identity) => identity.password === password)
  if (own !== undefined) return own
  if (known.length > 0 && !separate) return undefined
  const made = { email, password }
  walk.identities.push(made)
  return made
}

function dropIfUnused(walk: Walk, identity: IdentityModel | undefined): void {
  if (identity === undefined || membershipsOf(walk, identity).length > 0) return
  walk.identities = walk.identities.filter((one) => one !== identity)
}

function openSession(walk: Walk, user: UserModel, token: string): void {
  if (user.identity) walk.sessions.push({ token, user, identity: user.identity, isOver: false })
}

async function register(walk: Walk, email: string, given: Step): Promise<void> {
  const { status, body } = await send('POST', '/api/auth/register', {
    body: { tenantName: 'Own', email, password: given.password },
  })
  const identity = joined(walk, email, { ...given, separate: false })
  expect(status).toBe(identity ? 201 : 401)
  if (identity === undefined) return
  const { user, tenant, accessToken } = body.data
  const made = { _id: user._id, tenantId: tenant._id, email, identity, inviteToken: '', isActive: true }
  walk.users.push(made)
  openSession(walk, made, accessToken)
}

async function invite(walk: Walk, email: string, { tenant }: Step): Promise<void> {
  const { token = '', tenantId = '' } = bosses[tenant] ?? {}
  const known = walk.users.find((user) => user.email === email && user.tenantId === tenantId)
  const body = { email, role: 'agent' }
  const invited = await send('POST', '/api/v1/users', { token, body })
  expect(invited.status).toBe(known ? 409 : 201)
  if (known === undefined) {
    const { _id, inviteToken } = invited.body.data
    walk.users.push({ _id, tenantId, email, identity: undefined, inviteToken, isActive: false })
    return
  }
  const again = await send('POST', `/api/v1/users/${known._id}/invite`, { token })
  expect(again.status).toBe(known.identity ? 409 : 200)
  if (known.identity === undefined) known.inviteToken = again.body.data.inviteToken
}

async function accept(walk: Walk, user: UserModel, given: Step): Promise<void> {
  const { password, separate } = given
  const { status, body } = await send('POST', '/api/auth/accept-invite', {
    body: { token: user.inviteToken, password, separate },
  })
  const identity = user.identity === undefined ? joined(walk, user.email, given) : undefined
  expect(status).toBe(identity ? 200 : 401)
  if (identity === undefined) return
  user.identity = identity
  user.isActive = true
  openSession(walk, user, body.data.accessToken)
}

async function setActive(walk: Walk, user: UserModel, isActive: boolean): Promise<void> {
  const { token } = bosses.find(({ tenantId }) => tenantId === user.tenantId) ?? { token: '' }
  const { status } = await send('PUT', `/api/v1/users/${user._id}`, { token, body: { isActive } })
  const isRefused = isActive && user.identity === undefined
  expect(status).toBe(isRefused ? 409 : 200)
  if (isRefused) return
  user.isActive = isActive
  if (!isActive) for (const session of walk.sessions) if (session.user === user) session.isOver = true
}

async function leave(walk: Walk, user: UserModel): Promise<void> {
  const { token } = bosses.find(({ tenantId }) => tenantId === user.tenantId) ?? { token: '' }
  expect((await send('DELETE', `/api/v1/users/${user._id}`, { token })).status).toBe(200)
  walk.users = walk.users.filter((one) => one !== user)
  for (const session of walk.sessions) if (session.user === user) session.isOver = true
  dropIfUnused(walk, user.identity)
}

async function changePassword(walk: Walk, user: UserModel, { password: newPassword }: Step): Promise<void> {
  const { identity } = user
  if (identity === undefined || !user.isActive) return
  const signedIn = await login(user.email, identity.password, user.tenantId)
  expect(signedIn.status).toBe(200)
  const token = signedIn.body.data.accessToken
  const body = { currentPassword: identity.password, newPassword }
  expect((await send('PUT', '/api/auth/password', { token, body })).status).toBe(200)
  identity.password = newPassword
  for (const session of walk.sessions) if (session.identity === identity) session.isOver = true
  openSession(walk, user, token)
}

async function take(walk: Walk, given: Step): Promise<string> {
  const email = walk.emails[given.person] as string
  const { tenantId } = bosses[given.tenant] as { tenantId: string }
  const user = walk.users.find((one) => one.email === email && one.tenantId === tenantId)
  if (given.type === 'register') await register(walk, email, given)
  else if (given.type === 'invite') await invite(walk, email, given)
  else if (user === undefined) return email
  else if (given.type === 'accept') await accept(walk, user, given)
  else if (given.type === 'leave') await leave(walk, user)
  else if (given.type === 'changePassword') await changePassword(walk, user, given)
  else await setActive(walk, user, given.type === 'reactivate')
  return email
}

const idsOf = (users: readonly UserModel[]) => users.map(({ tenantId }) => tenantId).sort()

/** The tenants that an e-mail and a password open when the sign-in names no tenant. */
async function opens(email: string, password: string): Promise<string[]> {
  const { status, body } = await login(email, password)
  if (status === 401) return []
  if (status === 200) return [body.data.user.tenantId]
  expect(status).toBe(422)
  return body.tenants.map(({ _id }: { _id: string }) => _id).sort()
}

async function comparePassword(walk: Walk, email: string, password: string): Promise<void> {
  const identities = ofEmail(walk, email).filter((one) => one.password === password)
  const memberships = identities.flatMap((identity) => membershipsOf(walk, identity))
  const active = memberships.filter(({ isActive }) => isActive)
  expect(await opens(email, password), `${password} of ${email}`).toEqual(idsOf(active))
}

/** Compares every password for each tenant by name, also for tenants that a sign-in without a tenant does not try. */
async function compareTenants(walk: Walk, email: string): Promise<void> {
  for (const { tenantId, identity, isActive } of walk.users.filter((user) => user.email === email)) {
    for (const password of passwords) {
      const isOwn = isActive && identity?.password === password
      expect((await login(email, password, tenantId)).status).toBe(isOwn ? 200 : 401)
    }
  }
}

async function compareSessions(walk: Walk): Promise<void> {
  const responses = await Promise.all(
    walk.sessions.map(({ token }) => send('GET', '/api/auth/me', { token })),
  )
  for (const [index, { user, identity, isOver }] of walk.sessions.entries()) {
    const { status, body } = responses[index] as (typeof responses)[number]
    expect(status).toBe(isOver ? 401 : 200)
    if (isOver) continue
    expect(body.data.user._id).toBe(user._id)
    const reached = body.data.memberships.map(({ userId }: { userId: string }) => userId).sort()
    const own = membershipsOf(walk, identity).filter(({ isActive }) => isActive)
    expect(reached).toEqual(own.map(({ _id }) => _id).sort())
  }
}

let walks = 0

test('a password and a session open exactly the memberships of their identity, after any sequence of changes', async () => {
  await runModel<Step>({
    name: 'Membership',
    action: step,
    // Every sign-in computes the hash of a password.
    runForMs: 20_000,
    async walk(steps) {
      walks += 1
      const emails = [0, 1, 2].map((person) => `walker${person}.${walks}@example.com`)
      const walk: Walk = { emails, users: [], sessions: [], identities: [] }
      for (const given of steps) {
        const email = await take(walk, given)
        await comparePassword(walk, email, given.password)
        await compareSessions(walk)
      }
      for (const email of emails) {
        for (const password of passwords) await comparePassword(walk, email, password)
        await compareTenants(walk, email)
      }
    },
  })
})

import { expect, test } from 'vitest'
import type { AuditEntry } from '../../src/storage/kinds/audit-log.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

// Every attempt to sign in with an e-mail is in the audit log of every tenant that it could have opened.

const running = useService()

const send = (method: string, path: string, { body, token }: { body?: unknown; token?: string } = {}) =>
  call(running.url, { method, path, body, token })
const login = (email: string, secret: string, tenantId?: string) =>
  send('POST', '/api/auth/login', { body: { email, password: secret, ...(tenantId && { tenantId }) } })

/** A tenant with a boss, and a member of this e-mail who accepted with the password. */
async function newTeam(email: string, secret: string) {
  const { token, tenant } = await registerTenant(running.url)
  const { body } = await send('POST', '/api/v1/users', { token, body: { email, role: 'agent' } })
  const accepted = await send('POST', '/api/auth/accept-invite', {
    body: { token: body.data.inviteToken, password: secret, separate: true },
  })
  expect(accepted.status).toBe(200)
  const userId = body.data._id as string
  return {
    tenantId: tenant._id as string,
    userId,
    memberToken: accepted.body.data.accessToken as string,
    /** Entries about the member with this action: count, actor. */
    async entries(action: string) {
      const log = await send('GET', '/api/tenant/audit-log?limit=100', { token })
      return log.body.data
        .filter((entry: AuditEntry) => entry.action === action && entry.target._id === userId)
        .map(({ count, actor }: Required<AuditEntry>) => ({ count, actor: actor._id ?? actor.type }))
    },
    log: () => send('GET', '/api/tenant/audit-log?limit=100', { token }),
  }
}
type Team = Awaited<ReturnType<typeof newTeam>>

/** The entries of all teams together; they are written a moment after the request. */
async function countsSoon(teams: readonly Team[], action: string, expected: number[]) {
  const endMs = Date.now() + 15_000
  for (;;) {
    const counts: number[] = []
    for (const team of teams) {
      const entries: { count: number }[] = await team.entries(action)
      counts.push(entries.reduce((sum, { count }) => sum + count, 0))
    }
    if (JSON.stringify(counts) === JSON.stringify(expected) || Date.now() > endMs) return counts
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

test('a sign-in is only in the log of its tenant', async () => {
  const email = 'signs.in@example.com'
  const [a, b] = [await newTeam(email, password), await newTeam(email, password)]
  expect((await login(email, password, a.tenantId)).status).toBe(200)
  expect(await a.entries('user.signedIn')).toEqual([{ count: 1, actor: a.userId }])
  expect(await b.entries('user.signedIn')).toEqual([])
})

test('failed sign-ins are counted in one entry of every tenant of every identity of the e-mail', async () => {
  const email = 'is.guessed@example.com'
  const teams = [
    await newTeam(email, password),
    await newTeam(email, password),
    await newTeam(email, 'a password of another identity'),
  ]
  const outside = await newTeam('somebody.else@example.com', password)
  await countsSoon(teams, 'user.signInFailed', [1, 1, 0])
  for (let n = 0; n < 12; n++) expect((await login(email, `guess ${n}`)).status).toBe(401)
  // The separate acceptance also had a wrong password, in the two tenants that existed then.
  expect(await countsSoon(teams, 'user.signInFailed', [13, 13, 12])).toEqual([13, 13, 12])
  for (const team of teams) {
    const entries = await team.entries('user.signInFailed')
    // Two entries where a window of fifteen minutes ended meanwhile.
    expect(entries.length).toBeLessThanOrEqual(2)
    expect(new Set(entries.map(({ actor }: { actor: string }) => actor))).toEqual(new Set(['system']))
  }
  expect(await outside.entries('user.signInFailed')).toEqual([])
  expect(JSON.stringify((await teams[0]?.log())?.body)).not.toMatch(/guess|@example\.com/)
})

test('an acceptance elsewhere and a password change are in the log of every tenant that they affect', async () => {
  const email = 'moves@example.com'
  const first = await newTeam(email, password)
  const second = await newTeam(email, password)
  const stranger = await newTeam(email, 'chosen by a stranger')
  const teams = [first, second, stranger]
  expect(await countsSoon(teams, 'user.inviteAcceptedElsewhere', [2, 1, 0])).toEqual([2, 1, 0])
  expect(JSON.stringify((await first.log()).body)).not.toContain(stranger.tenantId)

  const changed = await send('PUT', '/api/auth/password', {
    token: second.memberToken,
    body: { currentPassword: password, newPassword: 'an even better password' },
  })
  expect(changed.status).toBe(200)
  expect(await countsSoon(teams, 'user.passwordChanged', [1, 1, 0])).toEqual([1, 1, 0])
  expect(await first.entries('user.passwordChanged')).toEqual([{ count: 1, actor: first.userId }])
})

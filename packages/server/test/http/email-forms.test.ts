import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

// One mailbox in several spellings: every place that names it must know that it is one.

const service = useService()
let inbox: MailInbox
beforeEach(async () => {
  inbox = await makeMailInbox(service)
})

const local = () => `info-${randomUUID().slice(0, 8)}`
const spellingsOf = (name: string) => [
  `${name}@bücher.example`,
  `${name}@xn--bcher-kva.example`,
  `${name.toUpperCase()}@BU\u0308CHER.example`,
]
const login = (email: string, tenantId?: string) =>
  call(service.url, { method: 'POST', path: '/api/auth/login', body: { email, password, tenantId } })

test('a mailbox that writes with its domain in letters, then in ASCII, is one customer', async () => {
  const mails = []
  for (const from of spellingsOf(local())) mails.push(await inbox.receive({ from: `Info <${from}>` }))
  mails.push(await inbox.receive({ from: `Info <${spellingsOf('x')[0]?.replace('x@', 'y\u200b@')}>` }))
  const customers = await Promise.all(
    mails.map(async ({ conversationId }) => (await inbox.conversationOf(conversationId)).customerId._id),
  )
  expect(customers[0]).toBeTruthy()
  expect(customers.slice(0, 3)).toEqual(customers.slice(0, 3).map(() => customers[0]))
  expect((await inbox.messagesOf(mails[3]?.['conversationId'])).at(-1).email.from.address).toBe(
    'y@xn--bcher-kva.example',
  )
})

test('a mail from a domain that no standard allows is parked', async () => {
  const mail = await inbox.receive({ from: 'Info <info@a\u200db.de>' })
  expect(mail).toMatchObject({ status: 'parked', reason: 'no_sender' })
})

test.each([0, 1, 2])(
  'a customer is found by every spelling of the e-mail (stored in spelling %i)',
  async (stored) => {
    const spellings = spellingsOf(local())
    const { body } = await inbox.ask('POST', '/api/v1/customers', {
      firstName: 'B',
      email: spellings[stored],
    })
    for (const email of spellings) {
      const found = await inbox.ask('GET', `/api/v1/customers?email=${encodeURIComponent(email)}`)
      expect(
        found.body.data.map(({ _id }: { _id: string }) => _id),
        email,
      ).toEqual([body.data._id])
    }
  },
)

test('a blocked mailbox stays blocked when it writes in another spelling', async () => {
  const [first = '', second = ''] = spellingsOf(local())
  const { body } = await inbox.ask('POST', '/api/v1/customers', { firstName: 'B', email: first })
  await inbox.ask('POST', `/api/v1/customers/${body.data._id}/block`, {})
  expect(await inbox.receive({ from: second })).toMatchObject({ status: 'ignored', reason: 'blocked' })
})

test('marks that nobody sees are refused, and the response names the field', async () => {
  const email = 'a\u200bda@example.com'
  const made = await inbox.ask('POST', '/api/v1/customers', { firstName: 'A', email })
  expect([made.status, made.body.details]).toMatchObject([422, [{ field: 'email', rule: 'invisible' }]])
  const invited = await inbox.ask('POST', '/api/v1/users', { email, role: 'agent', firstName: 'A' })
  expect([invited.status, invited.body.details]).toMatchObject([422, [{ field: 'email', rule: 'invisible' }]])
})

test('nobody has two users in one tenant by two spellings', async () => {
  const [first, second] = spellingsOf(local())
  const invite = (email?: string) =>
    inbox.ask('POST', '/api/v1/users', { email, role: 'agent', firstName: 'A' })
  expect((await invite(first)).status).toBe(201)
  expect((await invite(second)).status).toBe(409)
})

test('a person signs in with every spelling, also when an earlier version stored the e-mail', async () => {
  const name = local()
  const spellings = spellingsOf(name)
  const body = { tenantName: 'B', email: spellings[0], password, firstName: 'A', lastName: 'B' }
  const { body: made } = await call(service.url, { method: 'POST', path: '/api/auth/register', body })
  const { tenant, user } = made.data
  const check = async (asked: readonly string[]) => {
    for (const email of asked)
      for (const tenantId of [undefined, tenant._id])
        expect((await login(email, tenantId)).status, `${email} ${tenantId}`).toBe(200)
  }
  await check(spellings)
  for (const old of [`${name}@bücher.example`, `${name}\u200b@bücher.example`]) {
    await storeKeys({ tenantId: tenant._id, userId: user._id, email: spellings[1] ?? '', old })
    await check(old.includes('\u200b') ? [old] : spellings)
    await storeKeys({ tenantId: tenant._id, userId: user._id, email: old, old: spellings[1] ?? '' })
  }
})

test('two persons whose e-mails became one both sign in with their passwords', async () => {
  const [first = '', second = ''] = spellingsOf(local())
  const { tenant } = await registerTenant(service.url)
  const { system } = service.service.storage
  const { token } = await registerTenant(service.url)
  const me = await call(service.url, { path: '/api/auth/me', token })
  const { _id: tenantId } = me.body.data.tenant
  expect(tenant._id).not.toBe(tenantId)
  const passwords = ['the first of two passwords', 'the second of two passwords']
  const users: string[] = []
  for (const [index, email] of [first, second].entries()) {
    // The user of the earlier version has another key, so that the unique index takes both.
    const { body } = await call(service.url, {
      method: 'POST',
      path: '/api/v1/users',
      token,
      body: { email: index === 0 ? email : `other-${randomUUID().slice(0, 8)}@example.com`, role: 'agent' },
    })
    const accepted = await call(service.url, {
      method: 'POST',
      path: '/api/auth/accept-invite',
      body: { token: body.data.inviteToken, password: passwords[index] },
    })
    expect(accepted.status).toBe(200)
    users.push(body.data._id)
    if (index === 0) await storeKeys({ tenantId, userId: body.data._id, email, old: first })
    else await storeKeys({ tenantId, userId: body.data._id, email: body.data.email, old: second })
  }
  expect(await system.listMembers({ tenantId, email: first })).toHaveLength(2)
  for (const [index, given] of passwords.entries())
    for (const email of [first, second]) {
      const body = { email, password: given, tenantId }
      const response = await call(service.url, { method: 'POST', path: '/api/auth/login', body })
      expect([response.status, response.body.data?.user._id], email).toEqual([200, users[index]])
    }
})

/** Stores the keys of a user and of their identity as an earlier version did. */
async function storeKeys(of: { tenantId: TenantId; userId: string; email: string; old: string }) {
  const { storage } = service.service
  const [identity] = await storage.system.listIdentitiesByEmail(of.email)
  const member = await storage.system.listMembers({ tenantId: of.tenantId, email: of.email })
  const user = member.find(({ user }) => user._id === of.userId)
  if (identity === undefined || user === undefined) throw new Error(`Nobody has ${of.email}`)
  await storage.system.commit(of.tenantId, {
    writes: [
      {
        op: 'update',
        kind: 'identities',
        id: identity._id,
        expectVersion: identity.version,
        set: { email: of.old },
      },
      {
        op: 'update',
        kind: 'users',
        id: of.userId,
        expectVersion: user.user.version,
        set: { emailNormalized: of.old },
      },
    ],
    events: [],
  })
}

import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { signUser, switchWidgetOn, type Widget, WidgetVisitor } from '../support/widget-visitor.ts'

// The identity of a visitor of the chat widget, and the history that belongs to it.

const running = useService()
let owner: Awaited<ReturnType<typeof registerTenant>>
let widget: Widget
let secret: string

beforeEach(async () => {
  owner = await registerTenant(running.url)
  widget = await switchWidgetOn(running.url, owner.token)
  secret = await makeSecret()
})

async function asTeam(method: string, path: string, body?: unknown) {
  const response = await call(running.url, { method, path: `/api/v1/${path}`, token: owner.token, body })
  expect(response.body).toMatchObject({ success: true })
  return response.body
}

const makeSecret = async (body: object = {}) =>
  (await asTeam('POST', `inboxes/${widget.inboxId}/widget-secret`, body)).data.secret as string
const newVisitor = () => new WidgetVisitor(running.url)
const subjectsOf = async (visitor: WidgetVisitor): Promise<string[]> =>
  (await visitor.send('GET', '/api/v1/widget/conversations')).body.data.map(
    ({ subject }: { subject: string }) => subject,
  )
const customers = async () => (await asTeam('GET', 'customers?sort=createdAt')).data

async function signedIn(claims: object, visitor = newVisitor()): Promise<WidgetVisitor> {
  const response = await visitor.begin(widget.key, { userToken: signUser(secret, { ...claims }) })
  expect([response.status, response.body.data?.verified]).toEqual([201, true])
  return visitor
}

describe('a userToken', () => {
  it('signs in one person on every device, with one customer, and fills blank fields only [widget]', async () => {
    const phone = await signedIn({ sub: 'user-1', name: 'Ada Byron King', email: 'ada@example.com' })
    await phone.ask('From the phone')
    const [ada] = await customers()
    expect(ada.profile).toMatchObject({ firstName: 'Ada', lastName: 'Byron King', email: 'ada@example.com' })
    await asTeam('PUT', `customers/${ada._id}`, { firstName: 'Augusta', lastName: null })
    const laptop = await signedIn({ sub: 'user-1', name: 'Ada King', email: 'other@example.com' })
    expect(await subjectsOf(laptop)).toEqual(['From the phone'])
    const [after, ...others] = await customers()
    expect(others).toEqual([])
    expect(after.profile).toMatchObject({ firstName: 'Augusta', lastName: null, email: 'ada@example.com' })
    const somebody = await signedIn({ sub: 'user-2' })
    expect(await subjectsOf(somebody)).toEqual([])
  })

  it('makes one customer when eight first sign-ins arrive at once', async () => {
    const userToken = signUser(secret, { sub: 'user-1', email: 'ada@example.com' })
    const all = await Promise.all(
      Array.from({ length: 8 }, () => newVisitor().begin(widget.key, { userToken })),
    )
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(new Set(all.map(({ body }) => body.data.customer._id)).size).toBe(1)
    expect(await customers()).toHaveLength(1)
  })

  it('links a signed e-mail to the one customer who has it, and to none of several', async () => {
    const [known] = await createCustomers('Known@Example.com')
    await createCustomers('twice@example.com', 'twice@example.com')
    const linked = await newVisitor().begin(widget.key, {
      userToken: signUser(secret, { sub: 'a', email: 'known@example.com' }),
    })
    expect(linked.body.data.customer._id).toBe(known)
    await signedIn({ sub: 'b', email: 'twice@example.com' })
    expect(await customers()).toHaveLength(4)
  })

  it('never finds a customer by an e-mail that a visitor typed, also not after a merge [widget]', async () => {
    const stranger = newVisitor()
    await stranger.begin(widget.key, { profile: { firstName: 'Eve', email: 'ada@example.com' } })
    await stranger.ask('I am Ada, honestly')
    const ada = await signedIn({ sub: 'ada', email: 'ada@example.com' })
    expect(await subjectsOf(ada)).toEqual([])
    expect(await customers()).toHaveLength(2)
    const [phoneOnly] = (
      await Promise.all([asTeam('POST', 'customers', { firstName: 'Bob', phone: '123' })])
    ).map(({ data }) => data._id)
    const other = newVisitor()
    await other.begin(widget.key, { profile: { email: 'bob@example.com' } })
    await other.ask('Typed')
    const typed = (await customers()).at(-1)
    await asTeam('POST', `customers/${phoneOnly}/merge`, { sourceId: typed._id })
    const bob = await newVisitor().begin(widget.key, {
      userToken: signUser(secret, { sub: 'bob', email: 'bob@example.com' }),
    })
    expect(bob.body.data.customer._id).not.toBe(phoneOnly)
  })

  it('is refused for every defect, changes nothing, and names no reason', async () => {
    const now = Math.floor(Date.now() / 1000)
    const good = { sub: 'user-1' }
    const [head = '', payload = '', signature = ''] = signUser(secret, good).split('.')
    const tokens: Record<string, string> = {
      'no token': 'x',
      'another secret': signUser('wis_another', good),
      'another algorithm': signUser(secret, good, { alg: 'HS512' }),
      'no algorithm': signUser(secret, good, { alg: 'none' }),
      'an extension': signUser(secret, good, { alg: 'HS256', crit: ['exp'] }),
      'no signature': `${head}.${payload}.`,
      padding: `${head}.${payload}.${signature}=`,
      'another payload': `${head}.${Buffer.from('{"sub":"user-2"}').toString('base64url')}.${signature}`,
      'no sub': signUser(secret, {}),
      'an empty sub': signUser(secret, { sub: '' }),
      'a long sub': signUser(secret, { sub: 'x'.repeat(129) }),
      'a number as sub': signUser(secret, { sub: 7 }),
      expired: signUser(secret, { ...good, iat: now - 3_700, exp: now - 61 }),
      'not valid yet': signUser(secret, { ...good, nbf: now + 120 }),
      'issued in the future': signUser(secret, { ...good, iat: now + 120, exp: now + 200 }),
      'valid for too long': signUser(secret, { ...good, iat: now, exp: now + 3_601 }),
      'a broken second': signUser(secret, { ...good, iat: now + 0.5 }),
      'no end': signUser(secret, { ...good, exp: undefined }),
      'a wrong e-mail': signUser(secret, { ...good, email: 'no address' }),
      'a wrong name': signUser(secret, { ...good, name: { first: 'Ada' } }),
    }
    const visitor = newVisitor()
    await visitor.begin(widget.key)
    await visitor.ask('Still here')
    for (const [defect, userToken] of Object.entries(tokens)) {
      const refused = await visitor.begin(widget.key, { userToken })
      expect([defect, refused.status, refused.body.code, refused.body.error]).toEqual([
        defect,
        401,
        'AUTH_REQUIRED',
        'The userToken is not valid or has expired',
      ])
    }
    expect(await subjectsOf(visitor)).toEqual(['Still here'])
    const skewed = signUser(secret, { ...good, iat: now - 3_000, exp: now - 30, nbf: now + 30, other: 1 })
    expect((await newVisitor().begin(widget.key, { userToken: skewed })).status).toBe(201)
  })

  it('is refused where the inbox has no secret, and by both secrets during a rotation and by one after it', async () => {
    const first = secret
    secret = await makeSecret({ overlapSeconds: 3600 })
    const old = await newVisitor().begin(widget.key, { userToken: signUser(first, { sub: 'a' }) })
    expect(old.status).toBe(201)
    const leaked = new WidgetVisitor(running.url, old.body.data.sessionToken)
    const current = await signedIn({ sub: 'a' })
    const third = await makeSecret({ overlapSeconds: 0 })
    for (const visitor of [leaked, current])
      expect((await visitor.send('GET', '/api/v1/widget/conversations')).status).toBe(401)
    const userToken = signUser(third, { sub: 'a' })
    expect((await newVisitor().begin(widget.key, { userToken })).status).toBe(201)
    const other = await registerTenant(running.url)
    const bare = await switchWidgetOn(running.url, other.token)
    expect((await newVisitor().begin(bare.key, { userToken })).status).toBe(401)
  })
})

async function createCustomers(...emails: string[]): Promise<string[]> {
  const made: string[] = []
  for (const email of emails) made.push((await asTeam('POST', 'customers', { email })).data._id)
  return made
}

describe('identify', () => {
  it('moves the conversations of the anonymous session to the person, ends it, and merges its visitor', async () => {
    const visitor = newVisitor()
    await visitor.begin(widget.key, { profile: { firstName: 'Typed', email: 'typed@example.com' } })
    const clientMessageId = randomUUID()
    const begun = await visitor.ask('Before', clientMessageId)
    const anonymous = new WidgetVisitor(running.url, visitor.token)
    const [before] = await customers()
    await signedIn({ sub: 'user-1', email: 'ada@example.com' }, visitor)
    expect((await anonymous.send('GET', '/api/v1/widget/conversations')).status).toBe(401)
    expect(await subjectsOf(visitor)).toEqual(['Before'])
    const [after, ...others] = await customers()
    expect(others).toEqual([])
    expect(after._id).not.toBe(before._id)
    expect(after.profile).toMatchObject({ firstName: 'Visitor', email: 'ada@example.com' })
    expect((await asTeam('GET', `conversations/${begun._id}`)).data.customerId._id).toBe(after._id)
    const repeated = await visitor.send('POST', '/api/v1/widget/conversations', {
      message: 'Before',
      clientMessageId,
    })
    expect([repeated.status, repeated.body.data._id]).toEqual([200, begun._id])
    const audit = await call(running.url, { path: '/api/tenant/audit-log', token: owner.token })
    expect(audit.body.data.map(({ action }: { action: string }) => action)).toContain('customer.merged')
  })

  it('moves nothing from a signed, foreign or ended session, and none of these is an error', async () => {
    const ada = await signedIn({ sub: 'ada' })
    await ada.ask('Of Ada')
    const adaToken = ada.token
    const bob = await signedIn({ sub: 'bob' }, new WidgetVisitor(running.url, adaToken))
    expect(await subjectsOf(bob)).toEqual([])
    expect(await subjectsOf(new WidgetVisitor(running.url, adaToken))).toEqual(['Of Ada'])
    const other = await registerTenant(running.url)
    const foreign = newVisitor()
    await foreign.begin((await switchWidgetOn(running.url, other.token)).key)
    await foreign.ask('Of another tenant')
    expect(await subjectsOf(await signedIn({ sub: 'eve' }, foreign))).toEqual([])
    const ended = newVisitor()
    await ended.begin(widget.key)
    await ended.ask('Ended')
    await ended.send('DELETE', '/api/v1/widget/sessions/current')
    expect(await subjectsOf(await signedIn({ sub: 'eve' }, ended))).toEqual([])
  })

  it('leaves a real customer alone into whom the team has merged the visitor', async () => {
    const visitor = newVisitor()
    await visitor.begin(widget.key)
    await visitor.ask('Hello')
    const [made] = await customers()
    const [real] = await createCustomers('real@example.com')
    await asTeam('POST', `customers/${real}/merge`, { sourceId: made._id })
    await visitor.ask('After the merge')
    await signedIn({ sub: 'user-1' }, visitor)
    expect((await subjectsOf(visitor)).sort()).toEqual(['After the merge', 'Hello'])
    expect((await customers()).map(({ _id }: { _id: string }) => _id)).toContain(real)
  })
})

describe('a session', () => {
  it('ends with a log-out, and its stream with it', async () => {
    const visitor = newVisitor()
    await visitor.begin(widget.key)
    await visitor.ask('Hello')
    const stream = await fetch(`${running.url}/api/v1/widget/stream`, {
      headers: { authorization: `Bearer ${visitor.token}` },
    })
    const ended = stream.text()
    expect((await visitor.send('DELETE', '/api/v1/widget/sessions/current')).status).toBe(200)
    await ended
    const after = await visitor.send('GET', '/api/v1/widget/conversations')
    expect([after.status, after.body.code]).toEqual([401, 'AUTH_REQUIRED'])
  })

  it('ends with the erasure of its customer, after which the next identify begins anew', async () => {
    const anonymous = newVisitor()
    await anonymous.begin(widget.key)
    await anonymous.ask('Anonymous')
    const ada = await signedIn({ sub: 'ada', email: 'ada@example.com' })
    await ada.ask('Signed')
    for (const { _id } of await customers()) await asTeam('DELETE', `customers/${_id}`)
    for (const visitor of [anonymous, ada])
      expect((await visitor.send('GET', '/api/v1/widget/conversations')).status).toBe(401)
    expect(await subjectsOf(await signedIn({ sub: 'ada', email: 'ada@example.com' }))).toEqual([])
    expect(await customers()).toHaveLength(1)
  })

  it('of an anonymous visitor ends when the inbox demands an identity; a signed one goes on', async () => {
    const anonymous = newVisitor()
    await anonymous.begin(widget.key)
    const ada = await signedIn({ sub: 'ada' })
    await widget.set({ identityRequired: true })
    expect((await anonymous.send('GET', '/api/v1/widget/conversations')).status).toBe(401)
    expect((await ada.send('GET', '/api/v1/widget/conversations')).status).toBe(200)
    expect((await newVisitor().begin(widget.key)).status).toBe(401)
  })

  it('waits with 403 while the widget is switched off, and goes on when it is on again', async () => {
    const visitor = newVisitor()
    await visitor.begin(widget.key)
    await widget.set({ enabled: false })
    const off = await visitor.send('GET', '/api/v1/widget/conversations')
    expect([off.status, off.body.code]).toEqual([403, 'PERMISSION_DENIED'])
    await widget.set({})
    expect((await visitor.send('GET', '/api/v1/widget/conversations')).status).toBe(200)
  })

  it('goes on when the team merges its customer: the person follows, an anonymous visitor sees nothing new', async () => {
    const ada = await signedIn({ sub: 'ada' })
    const own = await ada.ask('Of Ada')
    const anonymous = newVisitor()
    await anonymous.begin(widget.key)
    await anonymous.ask('Of the visitor')
    const [first, second] = await customers()
    await asTeam('POST', `customers/${second._id}/merge`, { sourceId: first._id })
    expect(await subjectsOf(anonymous)).toEqual(['Of the visitor'])
    expect(await subjectsOf(ada)).toEqual(['Of Ada'])
    const again = await signedIn({ sub: 'ada' })
    const next = await again.ask('Later')
    const moved = (await asTeam('GET', `conversations?customerId=${second._id}`)).data
    expect(moved.map(({ _id }: { _id: string }) => _id)).toEqual(expect.arrayContaining([own._id, next._id]))
  })
})

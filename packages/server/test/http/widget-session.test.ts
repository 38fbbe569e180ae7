import { beforeEach, describe, expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { signUser, switchWidgetOn, type Widget, WidgetVisitor } from '../support/widget-visitor.ts'

// GET and PUT /api/v1/widget/sessions/current: what a visitor says about themselves after the first message.

const path = '/api/v1/widget/sessions/current'
const running = useService()
let token: string
let widget: Widget

beforeEach(async () => {
  ;({ token } = await registerTenant(running.url))
  widget = await switchWidgetOn(running.url, token)
})

async function newVisitor(profile?: object): Promise<WidgetVisitor> {
  const visitor = new WidgetVisitor(running.url)
  await visitor.begin(widget.key, { profile })
  return visitor
}

async function asTeam(method: string, of: string, body?: unknown) {
  const response = await call(running.url, { method, path: `/api/v1/${of}`, token, body })
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}

async function customerOf(conversation: { _id: string }) {
  return (await asTeam('GET', `conversations/${conversation._id}`)).customerId
}

const say = (visitor: WidgetVisitor, body: object) => visitor.send('PUT', path, body)

async function typesOf(wanted: string): Promise<string[]> {
  const events: { event: string }[] = await asTeam('GET', 'events?limit=100')
  return events.map(({ event }) => event).filter((event) => event === wanted)
}

describe('an anonymous visitor', () => {
  it('fills the blank fields of the customer, says it by one event, and replaces what the session typed before', async () => {
    const visitor = await newVisitor()
    const begun = await visitor.ask('Hello')
    const said = await say(visitor, { email: 'Vera@Example.com', firstName: 'Vera', lastName: 'Visser' })
    expect(said.status).toBe(200)
    expect(said.body.data).toMatchObject({
      verified: false,
      email: 'Vera@Example.com',
      customer: { firstName: 'Vera' },
    })
    expect(said.body.data).not.toHaveProperty('sessionToken')
    expect((await customerOf(begun)).profile).toMatchObject({
      firstName: 'Vera',
      lastName: 'Visser',
      email: 'Vera@Example.com',
    })
    expect(await typesOf('customer.updated')).toHaveLength(1)
    // The same again is no change.
    await say(visitor, { email: 'Vera@Example.com' })
    expect(await typesOf('customer.updated')).toHaveLength(1)
    await say(visitor, { email: 'other@example.com' })
    expect((await customerOf(begun)).profile).toMatchObject({ firstName: 'Vera', email: 'other@example.com' })
    const cleared = await say(visitor, { email: null })
    expect(cleared.body.data.email).toBeNull()
    expect((await customerOf(begun)).profile.email).toBeNull()
    const shown = await visitor.send('GET', path)
    expect(shown.body.data).toEqual(cleared.body.data)
  })

  it('says an address before the first message, which makes the customer with it', async () => {
    const visitor = await newVisitor()
    expect((await say(visitor, { email: 'early@example.com' })).body.data.customer._id).toBeNull()
    const begun = await visitor.ask('Hello')
    expect((await customerOf(begun)).profile).toMatchObject({
      firstName: 'Visitor',
      email: 'early@example.com',
    })
    await say(visitor, { email: 'late@example.com' })
    expect((await customerOf(begun)).profile.email).toBe('late@example.com')
  })

  it('changes nothing that the team has written, also where it is what the visitor typed', async () => {
    const visitor = await newVisitor({ firstName: 'Vera', email: 'vera@example.com' })
    const begun = await visitor.ask('Hello')
    const { _id } = await customerOf(begun)
    await asTeam('PUT', `customers/${_id}`, { firstName: 'Veronica', email: 'work@example.com' })
    const said = await say(visitor, { email: 'another@example.com', firstName: 'V', lastName: 'Else' })
    // The mail of this visitor still goes to the address of this browser.
    expect(said.body.data.email).toBe('another@example.com')
    expect((await customerOf(begun)).profile).toMatchObject({
      firstName: 'Veronica',
      lastName: null,
      email: 'work@example.com',
    })
  })

  it('finds nobody by an address: not the customer who has it, now or later', async () => {
    const known = await asTeam('POST', 'customers', { firstName: 'Ada', email: 'ada@example.com' })
    const visitor = await newVisitor()
    const begun = await visitor.ask('Hello')
    await say(visitor, { email: 'ada@example.com' })
    expect((await customerOf(begun))._id).not.toBe(known._id)
    const shown = await asTeam('GET', `customers/${known._id}`)
    expect(shown.updatedAt).toBe(known.updatedAt)
  })

  it('is refused with every wrong field named, without an address, and without a session', async () => {
    const visitor = await newVisitor()
    for (const body of [{}, { email: 'no address' }, { email: 'a@example.com', phone: '1' }]) {
      expect((await say(visitor, body)).status).toBe(422)
    }
    expect((await say(new WidgetVisitor(running.url, 'wst_unknown'), { email: null })).status).toBe(401)
  })

  it('is asked by a page of another origin too', async () => {
    const headers = { origin: 'https://shop.example.com', 'access-control-request-method': 'PUT' }
    const preflight = await call(running.url, { method: 'OPTIONS', path, headers })
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')
  })
})

describe('a signed visitor', () => {
  it('reads the signed address and cannot say another one', async () => {
    const made = await asTeam('POST', `inboxes/${widget.inboxId}/widget-secret`, {})
    const visitor = new WidgetVisitor(running.url)
    const userToken = signUser(made.secret, { sub: 'person-1', email: 'signed@example.com', name: 'Sig Ned' })
    await visitor.begin(widget.key, { userToken })
    expect((await visitor.send('GET', path)).body.data).toMatchObject({
      verified: true,
      email: 'signed@example.com',
      customer: { firstName: 'Sig' },
    })
    const said = await say(visitor, { email: 'other@example.com' })
    expect([said.status, said.body.code]).toEqual([409, 'INVALID_STATE'])
  })
})

describe('the question for the address', () => {
  const config = async () =>
    (await call(running.url, { path: `/api/v1/widget/config?key=${widget.key}` })).body.data

  it('is asked as the inbox says, and by itself where replies go by mail', async () => {
    expect((await config()).askEmail).toBe(false)
    await widget.set({ askEmail: true })
    expect((await config()).askEmail).toBe(true)
    await asTeam('PUT', `inboxes/${widget.inboxId}`, {
      email: {
        address: `help@${widget.key.toLowerCase().replace(/[^a-z]/g, '')}.example`,
        transport: 'relay',
      },
    })
    await widget.set({ replyByMail: { enabled: true, inboxId: widget.inboxId } })
    expect((await config()).askEmail).toBe(true)
    await widget.set({ askEmail: false, replyByMail: { enabled: true, inboxId: widget.inboxId } })
    expect((await config()).askEmail).toBe(false)
  })
})

describe('the inbox that mails the replies of a widget', () => {
  it('is known, has a transport, and is not deleted', async () => {
    const inbox = await asTeam('POST', 'inboxes', { name: 'Mail' })
    const put = (inboxId: string | null, enabled = true) => {
      const body = { widget: { enabled: true, replyByMail: { enabled, inboxId } } }
      return call(running.url, { method: 'PUT', path: `/api/v1/inboxes/${widget.inboxId}`, token, body })
    }
    const at = { field: 'widget.replyByMail.inboxId' }
    const none = await put(inbox._id)
    expect([none.status, none.body.details[0]]).toMatchObject([422, { ...at, rule: 'transport' }])
    expect((await put(null)).body.details[0]).toMatchObject({ ...at, rule: 'transport' })
    expect((await put('inb_unknown')).body.details[0]).toMatchObject({ ...at, rule: 'reference' })
    const address = `${inbox._id.toLowerCase()}@example.com`
    await asTeam('PUT', `inboxes/${inbox._id}`, { email: { address, transport: 'relay' } })
    expect((await put(inbox._id)).status).toBe(200)
    const deleted = await call(running.url, { method: 'DELETE', path: `/api/v1/inboxes/${inbox._id}`, token })
    expect([deleted.status, deleted.body.code]).toEqual([409, 'INVALID_STATE'])
    expect((await put(null, false)).body.data.widget.replyByMail).toEqual({ enabled: false, inboxId: null })
    await asTeam('DELETE', `inboxes/${inbox._id}`)
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey } from '../support/call.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const service = useService({ CRM_MAIL_DOMAIN: 'in.acme.test' })
let inbox: MailInbox
let id: string
const dayMs = 24 * 3_600_000
const later = () => new Date(Date.now() + dayMs).toISOString()

beforeEach(async () => {
  inbox = await makeMailInbox(service)
  id = (await inbox.receive({ headers: ['Cc: bob@example.com'] }))['conversationId'] ?? ''
})

const path = (end = '') => `/api/v1/conversations/${id}${end}`
const by = (token: string) => (method: string, end: string, body?: object) =>
  call(service.url, { method, path: path(end), token, body })
const own = (method: string, end: string, body?: object) => inbox.ask(method, path(end), body)
const saved = async (body: object = {}) =>
  (await own('PUT', '/draft', { content: 'The key is 1234', ...body })).body.data
const sendIt = (draftId: string, body: object = {}) => own('POST', `/drafts/${draftId}/send`, body)
const draftNow = async () => (await own('GET', '/draft')).body.data
const customerOf = async () => (await inbox.store.conversations.find(id))?.customerId ?? ''
const editAddress = async (email: string) =>
  inbox.ask('PUT', `/api/v1/customers/${await customerOf()}`, { email })
const toOther = async (email = 'other@example.com') => {
  const { body } = await inbox.ask('POST', '/api/v1/customers', { firstName: 'Other', email })
  return own('PUT', '', { customerId: body.data._id })
}
const setEmail = (email: object) =>
  inbox.ask('PUT', `/api/v1/inboxes/${inbox.inboxId}`, { email: { ...inbox.settings, ...email } })

/** Lets the time of a draft come, without a wait. */
async function comeDue(draftId: string): Promise<void> {
  const { version = 0 } = (await inbox.store.drafts.find(draftId)) ?? {}
  const set = { dueAt: new Date().toISOString() }
  await inbox.store.commit({
    writes: [{ op: 'update', kind: 'drafts', id: draftId, expectVersion: version, set }],
    events: [],
  })
}

/** Makes the draft one of a version that stored no basis, with these recipients. */
async function asOfBefore(draftId: string, to: string[]): Promise<void> {
  const row = await inbox.store.drafts.find(draftId)
  if (row === undefined) throw new Error('There is no such draft')
  const { basis: _basis, filled: _filled, version: expectVersion, ...rest } = row
  const { store } = inbox
  await store.commit({ writes: [{ op: 'remove', kind: 'drafts', id: draftId, expectVersion }], events: [] })
  const before = { ...rest, to, cc: [] }
  await store.commit({ writes: [{ op: 'insert', kind: 'drafts', row: before }], events: [] })
}

describe('the recipients of a draft', () => {
  it('are filled in by the save that names none, with what they were chosen on, and shown', async () => {
    const expected = {
      to: ['ada@example.com'],
      cc: ['bob@example.com'],
      bcc: [],
      basis: { door: 'email', from: expect.stringContaining('@'), customerEmail: 'ada@example.com' },
      recipientsHidden: false,
    }
    expect(await saved()).toMatchObject(expected)
    expect(await draftNow()).toMatchObject(expected)
  })

  it('stay as they were saved, whoever writes since', async () => {
    const { _id } = await saved()
    await inbox.receive({ headers: ['Cc: mallory@example.com'] })
    expect((await sendIt(_id)).body.data.recipients).toMatchObject([
      { address: 'ada@example.com', kind: 'to' },
      { address: 'bob@example.com', kind: 'cc' },
    ])
  })

  it('that its author names are kept, and of a note there are none', async () => {
    expect(await saved({ to: ['eve@example.com'] })).toMatchObject({ to: ['eve@example.com'], cc: [] })
    expect(await saved({ cc: ['eve@example.com'] })).toMatchObject({
      to: ['ada@example.com'],
      cc: ['eve@example.com'],
    })
    expect(await saved({ type: 'note' })).toMatchObject({ to: [], cc: [], basis: null })
  })

  it('are nobody where the conversation has none, and then the draft is never sent', async () => {
    await own('PUT', '', { customerId: null })
    const draft = await saved()
    expect((await sendIt(draft._id)).status).toBe(draft.to.length === 0 ? 422 : 201)
  })

  it('that the service chose are not shown to a key without read:customers, in any door', async () => {
    const key = await createKey(service.url, inbox.owner.token, ['read:conversations', 'write:conversations'])
    const asKey = by(key)
    const hidden = { to: [], cc: [], recipientsHidden: true, basis: { customerEmail: null } }
    const { data } = (await asKey('PUT', '/draft', { content: 'Proposed' })).body
    expect(data).toMatchObject(hidden)
    await saved()
    expect((await asKey('GET', '/draft')).body.data).toMatchObject(hidden)
    expect((await asKey('GET', '/drafts')).body.data).toMatchObject([hidden, hidden])
    const conflicting = await asKey('PUT', '/draft', { content: 'Again', expectedVersion: 9 })
    expect(conflicting.body.details.draft).toMatchObject(hidden)
    await editAddress('ada@new.test')
    const refused = await asKey('POST', `/drafts/${data._id}/send`, {})
    expect(JSON.stringify(refused.body)).not.toContain('ada@')
    expect((await own('GET', '/drafts')).body.data[0]).toMatchObject({ to: ['ada@example.com'] })
  })
})

const edits: [string, () => Promise<unknown>][] = [
  ['another customer', () => toOther()],
  ['no customer', () => own('PUT', '', { customerId: null })],
  ['another address of the customer', () => editAddress('ada@new.test')],
  ['another address of the inbox', () => setEmail({ address: `x${inbox.address}`, transport: 'relay' })],
  ['no transport', () => setEmail({ transport: 'none' })],
]

describe('a draft whose recipients were chosen on another basis', () => {
  it.each(edits)('%s: is refused with the reason, what was and what is, and stays', async (_, edit) => {
    const draft = await saved()
    expect((await edit()) as { status: number }).toMatchObject({ status: 200 })
    const { status, body } = await sendIt(draft._id)
    const { basis } = draft
    const isOfRelay = body.details?.now === undefined
    // The relay sends as its own address until a domain is proven, so another address of the inbox may change nothing.
    if (isOfRelay) return expect([status, body.data?.email.to[0].address]).toEqual([201, 'ada@example.com'])
    expect([status, body.code]).toEqual([409, 'CONFLICT'])
    expect(body.details).toMatchObject({ reason: 'RECIPIENT_CHANGED', basis })
    expect(body.details.now).not.toEqual(basis)
    expect(await draftNow()).toMatchObject({ _id: draft._id, version: 1 })
  })

  it.each([
    ['another customer', () => toOther()],
    ['another address of the customer', () => editAddress('ada@new.test')],
    ['no transport', () => setEmail({ transport: 'none' })],
  ])('%s: is not sent at its time, and says why', async (_, edit) => {
    const draft = await saved({ sendAt: later(), sendUnlessReplied: false })
    await edit()
    await comeDue(draft._id)
    await expect.poll(async () => (await draftNow())?.sendError).toBe('RECIPIENT_CHANGED')
    expect(await draftNow()).toMatchObject({ sendAt: null, to: draft.to, content: draft.content })
    expect((await inbox.messagesOf(id)).length).toBe(1)
  })

  it('is sent after another save, and by consent to what is now; Force is no consent', async () => {
    const { _id } = await saved()
    await editAddress('ada@new.test')
    const forced = await call(service.url, {
      method: 'POST',
      path: path(`/drafts/${_id}/send`),
      token: inbox.owner.token,
      body: {},
      headers: { Force: 'true' },
    })
    expect(forced.status).toBe(409)
    expect((await sendIt(_id, { basis: forced.body.details.basis })).status).toBe(409)
    expect((await sendIt(_id, { basis: forced.body.details.now })).status).toBe(201)
    const again = await saved()
    await toOther()
    expect((await sendIt(again._id)).status).toBe(409)
    const resaved = await saved({ to: ['ada@example.com'] })
    expect((await sendIt(resaved._id)).body.data.email.to).toMatchObject([{ address: 'ada@example.com' }])
  })

  it('of a colleague or a program is refused too, and consent chooses anew what the service had chosen', async () => {
    const colleague = await addColleague(service, { tenantId: inbox.owner.tenant._id, role: 'agent' })
    const { data } = (await by(colleague.token)('PUT', '/draft', { content: 'Mine' })).body
    const { body: other } = await inbox.ask('POST', '/api/v1/conversations', {
      subject: 'By phone',
      inboxId: inbox.inboxId,
      channel: 'email',
    })
    id = other.data._id
    const proposed = (await by(colleague.token)('PUT', '/draft', { content: 'Nobody yet' })).body.data
    expect(proposed.to).toEqual([])
    await toOther('late@example.com')
    const { details } = (await sendIt(proposed._id)).body
    const sent = await sendIt(proposed._id, { basis: details.now })
    expect(sent.body.data.email.to).toMatchObject([{ address: 'late@example.com' }])
    expect(data.to).toEqual(['ada@example.com'])
  })
})

describe('a change of no recipient stops nothing:', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a label', () => own('POST', '/labels', { labels: ['vip'] })],
    [
      'another name of the inbox',
      () => inbox.ask('PUT', `/api/v1/inboxes/${inbox.inboxId}`, { name: 'New' }),
    ],
    ['the same address in capitals', () => editAddress('ADA@example.com')],
    [
      'another name of the customer',
      async () => inbox.ask('PUT', `/api/v1/customers/${await customerOf()}`, { lastName: 'King' }),
    ],
    ['a new mail of the customer', () => inbox.receive()],
  ])('%s', async (_, edit) => {
    const { _id } = await saved()
    await edit()
    expect((await sendIt(_id)).body.data?.email.to).toMatchObject([{ address: 'ada@example.com' }])
  })
})

describe('a draft of an earlier version', () => {
  it('goes as it is where it names somebody, and stops where nobody saw an address', async () => {
    const { _id } = await saved({ sendAt: later(), sendUnlessReplied: false })
    await asOfBefore(_id, ['eve@example.com'])
    await comeDue(_id)
    await expect.poll(async () => (await inbox.messagesOf(id)).length).toBe(2)
    const second = await saved({ sendAt: later(), sendUnlessReplied: false })
    await asOfBefore(second._id, [])
    await comeDue(second._id)
    await expect.poll(async () => (await draftNow())?.sendError).toBe('RECIPIENT_CHANGED')
    const { details } = (await sendIt(second._id)).body
    expect(details).toMatchObject({ reason: 'RECIPIENT_CHANGED', basis: null })
    const sent = await sendIt(second._id, { basis: details.now })
    expect(sent.body.data.email.to).toMatchObject([{ address: 'ada@example.com' }])
  })
})

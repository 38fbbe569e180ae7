import { beforeEach, expect, test } from 'vitest'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const service = useService({ CRM_MAIL_DOMAIN: 'in.acme.test' })
let inbox: MailInbox
beforeEach(async () => {
  inbox = await makeMailInbox(service)
})

const addresses = (list: readonly { address: string }[]) => list.map(({ address }) => address)
const recipientsOf = ({ body }: Awaited<ReturnType<MailInbox['reply']>>) => ({
  to: addresses(body.data.email.to),
  cc: addresses(body.data.email.cc),
})

test('a reply goes to the last sender, and to everyone of that mail except the addresses of the team [own.mail.recipients]', async () => {
  const { body } = await inbox.ask('POST', '/api/v1/inboxes', {
    name: 'Sales',
    email: { address: inbox.address.replace('h', 'sales'), transport: 'relay' },
  })
  const to = [inbox.address, body.data.email.address, 'bob@example.com'].join(', ')
  const cc = `Cc: carol@example.com, ${inbox.address.replace('@', '+tag@')}`
  const { conversationId } = await inbox.receive({ to, headers: [cc, 'Reply-To: ada@EXAMPLE.com'] })
  expect(recipientsOf(await inbox.reply(conversationId))).toEqual({
    to: ['ada@example.com'],
    cc: ['bob@example.com', 'carol@example.com'],
  })
})

test('the recipients of the next reply are shown as the reply then gets them, and nobody without e-mail', async () => {
  const { conversationId } = await inbox.receive({ headers: ['Cc: carol@example.com'] })
  const shown = async () =>
    (await inbox.ask('GET', `/api/v1/conversations/${conversationId}/recipients`)).body.data
  const { sendsMail, to, cc } = await shown()
  expect({ sendsMail, to: addresses(to), cc: addresses(cc) }).toEqual({
    sendsMail: true,
    ...recipientsOf(await inbox.reply(conversationId)),
  })
  expect(addresses(cc)).toEqual(['carol@example.com'])
  await inbox.ask('PUT', `/api/v1/inboxes/${inbox.inboxId}`, {
    email: { ...inbox.settings, transport: 'none' },
  })
  expect(await shown()).toEqual({
    sendsMail: false,
    door: 'none',
    from: null,
    visitorSeenAt: null,
    to: [],
    cc: [],
    offered: [],
  })
  const unknown = await inbox.ask('GET', '/api/v1/conversations/con_01J8ZQ4W7NQ0V6M5K3D2E1F0GH/recipients')
  expect(unknown.status).toBe(404)
})

test('a stranger becomes a participant, and gets replies only when an agent names them, however often they write [own.mail.recipients]', async () => {
  const { conversationId } = await inbox.receive()
  const first = await inbox.reply(conversationId)
  const signed = first.body.data.email.replyTo
  const from = 'Eve <eve@example.net>'
  expect(await inbox.receive({ from, to: signed })).toMatchObject({ conversationId })
  expect((await inbox.conversationOf(conversationId)).participants).toEqual([
    { address: 'eve@example.net', name: 'Eve', addedAt: expect.any(String), verified: null },
  ])
  expect(recipientsOf(await inbox.reply(conversationId)).to).toEqual(['ada@example.com'])
  expect(recipientsOf(await inbox.reply(conversationId, { to: ['eve@example.net'] })).to).toEqual([
    'eve@example.net',
  ])
  // The agent's mail made the first stranger take part; nobody has written to the second one.
  const mallory = 'Mallory <mallory@example.org>'
  const mails = [await inbox.receive({ from: mallory, to: signed, id: 'first@example.org' })]
  mails.push(await inbox.receive({ from: mallory, to: signed }))
  expect(mails).toMatchObject([{ conversationId }, { conversationId }])
  expect(recipientsOf(await inbox.reply(conversationId)).to).not.toContain('mallory@example.org')
  const headers = ['In-Reply-To: <first@example.org>']
  expect((await inbox.receive({ from: mallory, headers }))['conversationId']).not.toBe(conversationId)
  const { participants } = await inbox.conversationOf(conversationId)
  expect(addresses(participants)).toEqual(['eve@example.net', 'mallory@example.org'])
})

test('a participant whose address is verified takes part from the second mail on', async () => {
  const { conversationId } = await inbox.receive()
  const to = (await inbox.reply(conversationId)).body.data.email.replyTo
  const from = 'Eve <eve@example.net>'
  await inbox.receive({ from, to, id: 'eve@example.net' })
  const headers = ['Authentication-Results: mx.acme.test; dmarc=pass header.from=example.net']
  await inbox.receive({ from, to, headers })
  expect((await inbox.conversationOf(conversationId)).participants).toMatchObject([{ verified: true }])
  expect(recipientsOf(await inbox.reply(conversationId)).to).toEqual(['eve@example.net'])
  const joined = await inbox.receive({ from, headers: ['In-Reply-To: <eve@example.net>'] })
  expect(joined).toMatchObject({ conversationId })
})

test('a forged sender gets no reply that names nobody [own.mail.recipients]', async () => {
  const { conversationId } = await inbox.receive()
  const signed = (await inbox.reply(conversationId)).body.data.email.replyTo
  const headers = ['Authentication-Results: mx.acme.test; dmarc=fail header.from=example.net']
  const from = 'Eve <eve@example.net>'
  for (const _ of [1, 2]) await inbox.receive({ from, to: signed, headers })
  expect((await inbox.conversationOf(conversationId)).participants).toMatchObject([{ verified: false }])
  expect(recipientsOf(await inbox.reply(conversationId)).to).toEqual(['ada@example.com'])
  const forged = await inbox.receive({ from, headers })
  const refused = await inbox.reply(forged['conversationId'])
  expect([refused.status, refused.body.details]).toMatchObject([422, [{ field: 'to', rule: 'required' }]])
})

test('a mail that comes too late begins a conversation that names the one before it', async () => {
  const first = await inbox.receive({ id: 'first@example.com' })
  const id = first['conversationId'] ?? ''
  await inbox.ask('PUT', `/api/v1/conversations/${id}`, { status: 'closed' })
  const { version = 0 } = (await inbox.store.conversations.find(id)) ?? {}
  const set = { closedAt: new Date(Date.now() - 31 * 24 * 3600 * 1000).toISOString() }
  await inbox.store.commit({
    writes: [{ op: 'update', kind: 'conversations', id, expectVersion: version, set }],
    events: [],
  })
  const late = await inbox.receive({ headers: ['In-Reply-To: <first@example.com>'] })
  expect(late['conversationId']).not.toBe(id)
  expect(await inbox.conversationOf(late['conversationId'])).toMatchObject({
    previousConversationId: id,
    participants: [],
  })
  expect(await inbox.conversationOf(id)).toMatchObject({ previousConversationId: null })
})

test('without plus addressing a reply finds its conversation by an address of the service itself', async () => {
  await inbox.ask('PUT', `/api/v1/inboxes/${inbox.inboxId}`, {
    email: { ...inbox.settings, plusAddressing: false },
  })
  const { conversationId } = await inbox.receive()
  const { replyTo } = (await inbox.reply(conversationId)).body.data.email
  expect(replyTo).toMatch(/^reply\+[0-9a-z]{26}\.[a-z2-7]{16}\.[0-9a-z]{14}@in\.acme\.test$/)
  expect(await inbox.receive({ to: replyTo.toUpperCase() })).toMatchObject({ conversationId })
  const other = await makeMailInbox(service, { plusAddressing: false })
  expect((await other.receive({ to: replyTo }))['conversationId']).not.toBe(conversationId)
})

test('a mail of the inbox that comes back to it is ignored, and the same mark in another inbox says nothing', async () => {
  const { conversationId } = await inbox.receive()
  const { _id } = (await inbox.reply(conversationId)).body.data
  const kept = async () => {
    const response = await fetch(`${service.url}/dev/mail.json`)
    const { data } = (await response.json()) as { data: { raw: string }[] }
    return data.find(({ raw }) => raw.includes(`Message-ID: <${_id}.`))
  }
  await expect.poll(kept).toBeDefined()
  const mark = /^X-Loop: (.+)$/im.exec((await kept())?.raw ?? '')?.[1]?.trim() ?? ''
  const headers = [`X-Loop: ${mark}`]
  expect(await inbox.receive({ headers })).toMatchObject({ status: 'ignored', reason: 'loop' })
  const forged = [`X-Loop: ${mark.slice(0, -1)}${mark.endsWith('a') ? 'b' : 'a'}`]
  expect(await inbox.receive({ headers: forged })).toMatchObject({ status: 'processed' })
  const other = await makeMailInbox(service)
  expect(await other.receive({ headers })).toMatchObject({ status: 'processed' })
})

test('a reply goes to all addresses of Reply-To in the domain of the sender, else they are offered', async () => {
  const list = 'Reply-To: Ada <ada2@example.com>, Team <team@example.com>'
  const { conversationId } = await inbox.receive({ headers: [list] })
  expect(recipientsOf(await inbox.reply(conversationId)).to).toEqual(['ada2@example.com', 'team@example.com'])
  const [message] = await inbox.messagesOf(conversationId)
  expect(message.email).toMatchObject({
    replyTo: 'ada2@example.com',
    replyToList: [
      { address: 'ada2@example.com', name: 'Ada' },
      { address: 'team@example.com', name: 'Team' },
    ],
  })
  const other = await inbox.receive({
    from: 'Bob <bob@example.net>',
    headers: ['Reply-To: bob@example.net, eve@other.test'],
  })
  const { data } = (await inbox.ask('GET', `/api/v1/conversations/${other['conversationId']}/recipients`))
    .body
  expect(addresses(data.to)).toEqual(['bob@example.net'])
  expect(data.offered).toMatchObject([{ address: 'eve@other.test', reason: 'reply_to' }])
})

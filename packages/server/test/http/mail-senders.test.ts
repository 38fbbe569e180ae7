import { beforeEach, expect, test } from 'vitest'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const service = useService()
let inbox: MailInbox
beforeEach(async () => {
  inbox = await makeMailInbox(service)
})

const customerOf = async (conversationId = '') => (await inbox.conversationOf(conversationId)).customerId
const forward = [
  '---------- Forwarded message ---------',
  'From: Zed Customer <zed@cust.test>',
  'Date: Mon, Nov 23, 2026 at 10:00 AM',
  'Subject: Broken chair',
  'To: <agent@crm.test>',
  '',
  'My chair is broken.',
].join('\r\n')
const forwarded = (from: string, headers: readonly string[] = []) =>
  inbox.receive({ from, text: forward, headers: ['Subject: Fwd: Broken chair', ...headers] })

test('a mail that a member of the team forwards is about its sender, whom a verified member makes the customer', async () => {
  const { email } = inbox.owner.user
  const domain = email.slice(email.indexOf('@') + 1)
  const proof = `Authentication-Results: mx.acme.test; dmarc=pass header.from=${domain}`
  const verified = await forwarded(`Owner <${email}>`, [proof])
  expect(await customerOf(verified['conversationId'])).toMatchObject({
    profile: { firstName: 'Zed', lastName: 'Customer', email: 'zed@cust.test' },
  })
  const [message] = await inbox.messagesOf(verified['conversationId'])
  expect(message).toMatchObject({
    sender: { name: 'Zed Customer' },
    email: {
      from: { address: email },
      forwardedFrom: { address: 'zed@cust.test', name: 'Zed Customer', date: '2026-11-23T10:00:00.000Z' },
    },
  })
  const path = `/api/v1/conversations/${verified['conversationId']}/recipients`
  expect((await inbox.ask('GET', path)).body.data.to).toMatchObject([{ address: 'zed@cust.test' }])
})

test('a member whom nobody has verified makes no customer, and a mail of anybody else is their own', async () => {
  const unproven = await forwarded(inbox.owner.user.email)
  expect(await customerOf(unproven['conversationId'])).toBeNull()
  const [message] = await inbox.messagesOf(unproven['conversationId'])
  expect(message.email.forwardedFrom).toMatchObject({ address: 'zed@cust.test' })
  const customer = await forwarded('Ada <ada@example.com>')
  expect(await customerOf(customer['conversationId'])).toMatchObject({
    profile: { email: 'ada@example.com' },
  })
  expect((await inbox.messagesOf(customer['conversationId']))[0].email.forwardedFrom).toBeNull()
})

test('the sender of a forwarded mail is erased from it with their customer, and so is an address for replies', async () => {
  const { messageId = '' } = await forwarded(inbox.owner.user.email, ['Reply-To: zed@cust.test, x@y.test'])
  const { body } = await inbox.ask('POST', '/api/v1/customers', { email: 'zed@cust.test' })
  expect((await inbox.ask('DELETE', `/api/v1/customers/${body.data._id}`)).status).toBe(200)
  const read = async () => (await inbox.messageOf(messageId)).email
  await expect.poll(read).toMatchObject({ forwardedFrom: null, replyToList: [{ address: 'x@y.test' }] })
})

test.each([
  ['"M\u00fcller, Anna"', 'Anna', 'M\u00fcller'],
  ['"Acme, Inc."', 'Acme,', 'Inc.'],
  ['"Jane Doe, MD"', 'Jane', 'Doe, MD'],
  ["'Jane Doe'", 'Jane', 'Doe'],
  ['"ada@example.com"', null, null],
])('%s is the name of a customer', async (name, firstName, lastName) => {
  const encoded = `=?utf-8?B?${Buffer.from(name.replaceAll('"', '')).toString('base64')}?=`
  const { conversationId } = await inbox.receive({ from: `${encoded} <ada@example.com>` })
  expect((await customerOf(conversationId)).profile).toMatchObject({ firstName, lastName })
})

test('a colleague to whom the customer has sent a mail joins by naming it, and gets no copy before', async () => {
  const { conversationId } = await inbox.receive({
    id: 'first@example.com',
    headers: ['Cc: bob@example.com'],
  })
  const reply = ['In-Reply-To: <first@example.com>']
  const bob = await inbox.receive({ from: 'Bob <bob@example.com>', headers: reply })
  expect(bob['conversationId']).toBe(conversationId)
  expect((await inbox.conversationOf(conversationId)).participants).toMatchObject([
    { address: 'bob@example.com', verified: null },
  ])
  const eve = await inbox.receive({ from: 'Eve <eve@example.com>', headers: reply })
  expect(eve['conversationId']).not.toBe(conversationId)
})

test('a colleague who is a customer too is in contact by a mail, and the customer of the conversation is not', async () => {
  const made = await inbox.ask('POST', '/api/v1/customers', { firstName: 'Bob', email: 'bob@example.com' })
  const { conversationId } = await inbox.receive({
    id: 'first@example.com',
    headers: ['Cc: bob@example.com'],
  })
  const { lastContactAt } = await customerOf(conversationId)
  const joined = await inbox.receive({
    from: 'Bob <bob@example.com>',
    headers: ['In-Reply-To: <first@example.com>'],
  })
  expect(joined['conversationId']).toBe(conversationId)
  const { sender, createdAt } = await inbox.messageOf(joined['messageId'] ?? '')
  const bob = await inbox.ask('GET', `/api/v1/customers/${made.body.data._id}`)
  expect([sender._id, bob.body.data.lastContactAt]).toEqual([bob.body.data._id, createdAt])
  expect((await customerOf(conversationId)).lastContactAt).toBe(lastContactAt)
})

test('nobody joins whom only a stranger or a forged mail has named', async () => {
  const { conversationId } = await inbox.receive({ id: 'own@example.com' })
  const { body } = await inbox.reply(conversationId)
  const join = [`In-Reply-To: <${body.data.email.messageId}>`, 'Cc: eve@example.net']
  await inbox.receive({ from: 'Mal <mal@example.net>', id: 'mal@example.net', headers: join })
  const forged = 'Authentication-Results: mx.acme.test; dmarc=fail header.from=example.com'
  await inbox.receive({ id: 'forged@example.com', headers: [...join, forged] })
  for (const id of ['mal@example.net', 'forged@example.com', 'own@example.com']) {
    const eve = await inbox.receive({ from: 'Eve <eve@example.net>', headers: [`In-Reply-To: <${id}>`] })
    expect(eve['conversationId']).not.toBe(conversationId)
  }
})

test('a reply is found by our Message-ID in any case, and where a mail server has folded it', async () => {
  const { conversationId } = await inbox.receive()
  const id: string = (await inbox.reply(conversationId)).body.data.email.messageId
  for (const named of [id.toLowerCase(), id.toUpperCase(), `${id.slice(0, 30)}\r\n ${id.slice(30)}`]) {
    const from = `Eve <eve${named.length}@example.net>`
    const { conversationId: found } = await inbox.receive({ from, headers: [`In-Reply-To: <${named}>`] })
    expect(found, named).toBe(conversationId)
  }
})

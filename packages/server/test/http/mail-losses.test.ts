import { beforeEach, describe, expect, test } from 'vitest'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

// Every mail whose arrival was acknowledged is a row that somebody can find, whatever it claims about itself.

const service = useService({ CRM_MAIL_DOMAIN: 'in.acme.test' })
let inbox: MailInbox
beforeEach(async () => {
  inbox = await makeMailInbox(service)
})

const order = (number: number, ...headers: string[]) =>
  [
    'From: Fax <fax@example.com>',
    `To: ${inbox.address}`,
    `Subject: Order ${number}`,
    ...headers,
    '',
    `Order number ${number}`,
  ].join('\r\n')

describe('different mails of one sender', () => {
  test.each([
    ['an empty Message-ID and no Date', ['Message-ID: <>']],
    ['one Message-ID that names no mail', ['Message-ID: <fax>', 'Date: Wed, 25 Nov 2026 10:00:00 +0000']],
    ['one Message-ID and no Date', ['Message-ID: <fax@device>']],
    ['one Message-ID and a Date that is none', ['Message-ID: <fax@device>', 'Date: today']],
    ['no Message-ID at one Date', ['Date: Wed, 25 Nov 2026 10:00:00 +0000']],
  ])('are messages of their own with %s, and the repeat of one is known', async (_, headers) => {
    const mails = []
    for (const number of [1, 2, 3]) mails.push(await inbox.deliver(order(number, ...headers)))
    expect(mails.map(({ status }) => status)).toEqual(['processed', 'processed', 'processed'])
    expect(new Set(mails.map(({ _id }) => _id)).size).toBe(3)
    const repeat = await inbox.deliver(`X-Trace: 2\r\n${order(2, ...headers)}\r\n\r\n`)
    expect(repeat['_id']).toBe(mails[1]?.['_id'])
  })

  test('with one Message-ID and one Date are rows: the first is a message, each other one names it', async () => {
    const headers = ['Message-ID: <fax@device>', 'Date: Wed, 25 Nov 2026 10:00:00 +0000']
    const first = await inbox.deliver(order(1, ...headers))
    const second = await inbox.deliver(order(2, ...headers))
    const third = await inbox.deliver(order(3, ...headers))
    expect(first).toMatchObject({ status: 'processed', duplicateOf: null })
    for (const copy of [second, third])
      expect(copy).toMatchObject({
        status: 'ignored',
        reason: 'duplicate',
        duplicateOf: first['_id'],
        from: 'fax@example.com',
        conversationId: first['conversationId'],
      })
    expect(new Set([first, second, third].map(({ _id }) => _id)).size).toBe(3)
    expect(await inbox.deliver(order(2, ...headers))).toEqual(second)
    const listed = await inbox.ask('GET', '/api/v1/inbound-mails?status=ignored')
    expect(listed.body.data.map(({ _id }: { _id: string }) => _id)).toEqual([third['_id'], second['_id']])
  })
})

test('a process that dies keeps the mail of all tenants waiting for ten seconds at most', async () => {
  await inbox.receive()
  const { system } = service.service.storage
  const now = Date.now()
  const takeAt = (atMs: number) =>
    system.takeLease({ name: 'mails', holder: 'another', now: new Date(atMs).toISOString(), leaseMs: 10_000 })
  expect(await takeAt(now)).toBe(false)
  expect(await takeAt(now + 10_001)).toBe(true)
  await system.releaseLease({ name: 'mails', holder: 'another' })
})

describe('a mail from the address of the inbox', () => {
  const names = (person: string) => ({
    'a group that rewrites From': [`X-Original-From: Jane Roe <${person}>`, 'Reply-To: list@lists.test'],
    'a list that names the sender': [`X-Original-Sender: ${person}`],
    'a form of a website': [`Reply-To: Visitor <${person}>`],
  })

  test.each(Object.keys(names('')))('through %s is of the person, who gets the reply', async (name) => {
    const person = 'jane@customer.test'
    const headers = names(person)[name as keyof ReturnType<typeof names>]
    const mail = await inbox.receive({ from: `Help <${inbox.address}>`, headers })
    expect(mail).toMatchObject({ status: 'processed', from: person })
    const { customerId } = await inbox.conversationOf(mail['conversationId'])
    expect(customerId.profile.email).toBe(person)
    const [message] = await inbox.messagesOf(mail['conversationId'])
    expect(message.email).toMatchObject({ from: { address: person }, verified: null })
  })

  test('that names nobody else is a message without a customer', async () => {
    const headers = [`Reply-To: ${inbox.address}`]
    const mail = await inbox.receive({ from: inbox.address, headers, text: 'Found in the spam folder' })
    expect(mail).toMatchObject({ status: 'processed', from: inbox.address })
    expect((await inbox.conversationOf(mail['conversationId'])).customerId).toBeNull()
  })

  test('is a loop only when it brings back what the tenant has signed', async () => {
    const { conversationId } = await inbox.receive()
    const { email } = (await inbox.reply(conversationId)).body.data
    const from = inbox.address
    expect(await inbox.receive({ from, id: email.messageId })).toMatchObject({
      status: 'ignored',
      reason: 'loop',
    })
    const forged = email.messageId.replace('msg_', 'msg_0')
    expect(await inbox.receive({ from, id: forged })).toMatchObject({ status: 'processed' })
  })

  test('of a person who is blocked is ignored', async () => {
    const { conversationId } = await inbox.receive({ from: 'jane@customer.test' })
    const { customerId } = await inbox.conversationOf(conversationId)
    await inbox.ask('POST', `/api/v1/customers/${customerId._id}/block`)
    const headers = ['Reply-To: jane@customer.test']
    const mail = await inbox.receive({ from: inbox.address, headers })
    expect(mail).toMatchObject({ status: 'ignored', reason: 'blocked' })
  })
})

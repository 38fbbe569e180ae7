import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { deliveryReport } from '../support/delivery-report.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const service = useService()
let inbox: MailInbox
let conversationId: string
beforeEach(async () => {
  inbox = await makeMailInbox(service)
  conversationId = (await inbox.receive())['conversationId'] ?? ''
})

const suppressed = async (query = '') =>
  (await inbox.ask('GET', `/api/v1/suppressed-addresses${query}`)).body.data
/** Sends a reply and waits until it has left. */
async function sent(body: object = {}) {
  const { _id } = (await inbox.reply(conversationId, body)).body.data
  await expect.poll(() => inbox.messageOf(_id)).toMatchObject({ status: 'sent' })
  return inbox.messageOf(_id)
}
const ofMail = ({ email }: { email: { messageId: string } }) => ({ messageId: email.messageId })

test('a report that the address does not exist fails the recipient, suppresses the address, and emits the change [own.mail.bounces]', async () => {
  const message = await sent()
  const report = deliveryReport({ recipient: 'Ada@Example.com', ...ofMail(message) })
  expect(await inbox.deliver(report)).toMatchObject({ status: 'ignored', reason: 'bounce', conversationId })
  expect(await inbox.messageOf(message._id)).toMatchObject({
    status: 'failed',
    recipients: [{ address: 'ada@example.com', status: 'failed', text: '5.1.1 No such mailbox' }],
  })
  const { customerId } = await inbox.conversationOf(conversationId)
  expect(await suppressed('?address=ADA@example.com')).toMatchObject([
    {
      address: 'ada@example.com',
      status: '5.1.1',
      text: 'No such mailbox',
      messageId: message._id,
      customerId: customerId._id,
    },
  ])
  expect(await suppressed('?address=bob@example.com')).toEqual([])
  await expect
    .poll(async () => {
      const path = '/api/v1/events?after=earliest&types=message.updated'
      return (await inbox.ask('GET', path)).body.data.at(-1)?.data
    })
    .toMatchObject({ _id: message._id, status: 'failed' })
  const second = deliveryReport({ recipient: 'ada@example.com', text: 'Still none', ...ofMail(message) })
  expect(await inbox.deliver(second)).toMatchObject({ status: 'ignored', reason: 'bounce' })
  expect(await suppressed()).toHaveLength(1)
})

test('a suppressed address gets no mail until it is deleted from the list, and others of the mail get theirs [own.mail.bounces]', async () => {
  await inbox.deliver(deliveryReport({ recipient: 'ada@example.com', ...ofMail(await sent()) }))
  const mixed = await sent({ to: ['Ada@example.com'], cc: ['bob@example.com'] })
  expect(mixed.recipients).toMatchObject([
    { address: 'Ada@example.com', status: 'suppressed' },
    { address: 'bob@example.com', status: 'sent' },
  ])
  const alone = (await inbox.reply(conversationId, { to: ['ada@example.com'] })).body.data
  expect(alone).toMatchObject({ status: 'failed', recipients: [{ status: 'suppressed' }] })
  const again = `/api/v1/messages/${alone._id}/send-again`
  expect(await inbox.ask('POST', again)).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
  const [row] = await suppressed()
  const path = `/api/v1/suppressed-addresses/${row._id}`
  expect((await inbox.ask('DELETE', path)).status).toBe(200)
  expect((await inbox.ask('DELETE', path)).status).toBe(404)
  expect((await inbox.ask('POST', again)).status).toBe(200)
  await expect.poll(() => inbox.messageOf(alone._id)).toMatchObject({ status: 'sent' })
})

test.each([
  ['a full mailbox', { status: '5.2.2' }, 'failed'],
  ['a refusal by a policy', { status: '5.7.1' }, 'failed'],
  ['a temporary code', { status: '4.1.1' }, 'failed'],
  ['no code', { status: 'none' }, 'failed'],
  ['a delay', { action: 'delayed', status: '5.1.1' }, 'sent'],
])('a report of %s suppresses nobody', async (_, fields, status) => {
  const message = await sent()
  const report = deliveryReport({ recipient: 'ada@example.com', ...fields, ...ofMail(message) })
  expect(await inbox.deliver(report)).toMatchObject({ status: 'ignored', reason: 'bounce' })
  expect((await inbox.messageOf(message._id)).recipients).toMatchObject([
    { status, text: expect.stringContaining('No such mailbox') },
  ])
  expect(await suppressed()).toEqual([])
})

test('a report of a delivery says so, and suppresses nobody', async () => {
  const message = await sent()
  const fields = { action: 'delivered', status: '2.0.0' }
  const report = deliveryReport({ recipient: 'ada@example.com', ...fields, ...ofMail(message) })
  expect(await inbox.deliver(report)).toMatchObject({ status: 'ignored', reason: 'bounce' })
  expect((await inbox.messageOf(message._id)).recipients).toMatchObject([{ status: 'delivered' }])
  expect(await suppressed()).toEqual([])
})

test('a report without returned headers counts when it came to the signed address of the conversation', async () => {
  const message = await sent()
  const to = message.email.replyTo
  const report = deliveryReport({ recipient: 'ada@example.com', to: 'nobody@example.com' })
  expect(await inbox.deliver(report, `?to=${encodeURIComponent(to)}`)).toMatchObject({ reason: 'bounce' })
  expect(await inbox.messageOf(message._id)).toMatchObject({ status: 'failed' })
  expect(await suppressed()).toMatchObject([{ address: 'ada@example.com' }])
})

const written = ({ to, text }: { to: string; text: string }) =>
  [
    'From: Mail Delivery System <Mailer-Daemon@mx.test>',
    `To: ${to}`,
    'Subject: Mail delivery failed: returning message to sender',
    `Message-ID: <${randomUUID()}@mx.test>`,
    `Date: ${new Date().toUTCString()}`,
    'Return-Path: <>',
    '',
    text,
  ].join('\r\n')

test('a report in sentences counts at the signed address of the conversation, and nowhere else [own.mail.bounces]', async () => {
  const message = await sent()
  const { messageId, replyTo } = message.email
  const text = `It could not be delivered:\r\n\r\n  ada@example.com\r\n    550 5.1.1 User unknown\r\n\r\n--- a copy ---\r\nMessage-ID: <${messageId}>\r\n`
  const elsewhere = await inbox.deliver(written({ to: inbox.address, text }))
  expect(elsewhere).toMatchObject({ status: 'parked', reason: 'bounce_unknown' })
  expect(await inbox.messageOf(message._id)).toMatchObject({ status: 'sent' })
  expect(await inbox.deliver(written({ to: replyTo, text }))).toMatchObject({ reason: 'bounce' })
  expect(await inbox.messageOf(message._id)).toMatchObject({
    status: 'failed',
    recipients: [{ status: 'failed', text: '5.1.1 550 5.1.1 User unknown' }],
  })
  expect(await suppressed()).toMatchObject([{ address: 'ada@example.com' }])
})

test('a report about the mailbox behind an alias fails the recipient, whose address is suppressed', async () => {
  const message = await sent()
  const report = deliveryReport({ recipient: 'box-17@inside.test', ...ofMail(message) }).replace(
    'Final-Recipient',
    'Original-Recipient: rfc822;ada@example.com\r\nFinal-Recipient',
  )
  expect(await inbox.deliver(report)).toMatchObject({ reason: 'bounce' })
  expect(await inbox.messageOf(message._id)).toMatchObject({ recipients: [{ status: 'failed' }] })
  expect(await suppressed()).toMatchObject([{ address: 'ada@example.com' }])
})

test('a complaint about a mail of ours suppresses its recipient; any other is a mail of a machine', async () => {
  const message = await sent()
  const complaint = (id: string) =>
    [
      'From: abuse@provider.test',
      `To: ${inbox.address}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
      '',
      '--b\r\n\r\nAn abuse report',
      '--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nOriginal-Rcpt-To: ada@example.com',
      `--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <${id}>\r\n\r\nx`,
      '--b--',
    ].join('\r\n')
  const { conversationId: other, ...unknown } = await inbox.deliver(complaint('x@y.test'))
  expect(unknown).toMatchObject({ status: 'processed' })
  expect((await inbox.messagesOf(other))[0].email).toMatchObject({ automated: true })
  expect(await suppressed()).toEqual([])
  expect(await inbox.deliver(complaint(message.email.messageId))).toMatchObject({ reason: 'bounce' })
  expect(await suppressed()).toMatchObject([{ address: 'ada@example.com', text: 'Complaint: abuse' }])
  expect(await inbox.messageOf(message._id)).toMatchObject({ status: 'sent' })
})

test('a report of a person that names no recipient and no mail is an ordinary message', async () => {
  const lines = (from: string) => [
    `From: ${from}`,
    `To: ${inbox.address}`,
    'Subject: report',
    `Message-ID: <${randomUUID()}@people.test>`,
    'Content-Type: multipart/report; boundary=b',
    '',
    '--b\r\nContent-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; a',
    ...Array(20).fill(' '),
    '--b--',
  ]
  const ofPerson = await inbox.deliver(lines('Pat <pat@people.test>').join('\r\n'))
  expect(ofPerson).toMatchObject({ status: 'processed', from: 'pat@people.test' })
  const ofSystem = await inbox.deliver(lines('MAILER-DAEMON@people.test').join('\r\n'))
  expect(ofSystem).toMatchObject({ status: 'parked', reason: 'bounce_unknown' })
})

test('nobody suppresses a stranger: a report that names nothing of ours waits for a person, and makes no customer [own.mail.bounces]', async () => {
  const message = await sent()
  const { messageId, replyTo } = message.email
  const other = await makeMailInbox(service)
  const vectors = [
    { recipient: 'victim@example.com', messageId, to: replyTo },
    { recipient: 'ada@example.com', messageId: `${message._id}@acme.test` },
    { recipient: 'ada@example.com', messageId: messageId.replace(/.@/, '.@') },
    { recipient: 'ada@example.com', to: inbox.address },
  ]
  for (const vector of vectors) {
    const mail = await inbox.deliver(deliveryReport(vector))
    expect(mail, JSON.stringify(vector)).toMatchObject({ status: 'parked', reason: 'bounce_unknown' })
  }
  expect(await other.deliver(deliveryReport({ recipient: 'ada@example.com', messageId }))).toMatchObject({
    status: 'parked',
  })
  expect((await inbox.ask('GET', '/api/v1/customers')).body.data).toHaveLength(1)
  expect(await inbox.messageOf(message._id)).toMatchObject({ status: 'sent' })
  expect(await suppressed()).toEqual([])
})

test('a suppressed address is exported and erased with its customer [own.mail.erasure]', async () => {
  await inbox.deliver(deliveryReport({ recipient: 'ada@example.com', ...ofMail(await sent()) }))
  const { customerId } = await inbox.conversationOf(conversationId)
  const exported = await fetch(`${service.url}/api/v1/customers/${customerId._id}/export?format=json`, {
    headers: { Authorization: `Bearer ${inbox.owner.token}` },
  })
  expect(await exported.json()).toMatchObject({ suppressedAddresses: [{ address: 'ada@example.com' }] })
  expect((await inbox.ask('DELETE', `/api/v1/customers/${customerId._id}`)).status).toBe(200)
  expect(await suppressed()).toEqual([])
})

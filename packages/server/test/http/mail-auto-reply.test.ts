import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { type MailFields, type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.ts'
import { type RunningService, startService } from '../support/start-service.ts'

let service: RunningService
let receiver: SmtpReceiver
let certificate: TestCertificate
beforeAll(async () => {
  certificate = await makeCertificate()
  service = await startService()
  copyFileSync(certificate.caFile, path.join(service.dataDir, 'webhook-ca.pem'))
  receiver = await startSmtpReceiver({ certificate })
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
  certificate.remove()
})

const autoReply = { enabled: true, content: 'We have got your mail.' }
const replyingInbox = (settings: object = {}) =>
  makeMailInbox(service, {
    transport: 'smtp',
    smtp: { host: 'localhost', port: receiver.port, security: 'starttls', user: null },
    autoReply,
    ...settings,
  })
/** Receives a mail and returns the replies that the service made by itself. */
async function repliesTo(inbox: MailInbox, fields: MailFields) {
  const { conversationId } = await inbox.receive(fields)
  const messages: { direction: string }[] = await inbox.messagesOf(conversationId)
  return messages.filter(({ direction }) => direction === 'outbound')
}

test('a mail that begins a conversation gets one reply, whose headers stop other programs', async () => {
  const inbox = await replyingInbox({ displayName: 'Help' })
  const words = 'Buy these pills'
  const { conversationId, messageId } = await inbox.receive({ text: words, headers: ['Cc: bob@example.com'] })
  const [received, reply] = await inbox.messagesOf(conversationId)
  expect(received._id).toBe(messageId)
  expect(reply).toMatchObject({
    direction: 'outbound',
    content: autoReply.content,
    sender: { type: 'system', name: 'Help' },
    email: { automated: true, subject: 'We received your message', inReplyTo: received.email.messageId },
    recipients: [{ address: 'ada@example.com' }],
  })
  expect(await inbox.conversationOf(conversationId)).toMatchObject({ messageCount: 2, firstResponseAt: null })
  const sent = () => receiver.mails.find(({ raw }) => raw.includes(reply.email.messageId))
  await expect.poll(sent).toBeDefined()
  expect(sent()?.raw).toMatch(/^Auto-Submitted: auto-replied\r$/m)
  expect(sent()?.raw).toMatch(/^X-Auto-Response-Suppress: All\r$/m)
  // Nobody has verified the sender: somebody else may get the reply.
  expect(sent()?.raw).not.toContain('Broken lamp')
  expect(sent()?.raw).not.toContain(words)
  await inbox.receive({ headers: [`In-Reply-To: <${reply.email.messageId}>`] })
  expect(await inbox.messagesOf(conversationId)).toHaveLength(3)
})

test('a verified sender gets the subject and the words of the mail with the automatic reply', async () => {
  const inbox = await replyingInbox()
  const { conversationId } = await inbox.receive({
    text: 'The lamp in our hall is broken',
    headers: ['Authentication-Results: mx.acme.test; dmarc=pass header.from=example.com'],
  })
  const [, reply] = await inbox.messagesOf(conversationId)
  expect(reply.email.subject).toBe('Re: Broken lamp')
  const sent = () => receiver.mails.find(({ raw }) => raw.includes(reply.email.messageId))?.raw
  await expect.poll(sent).toContain('> The lamp in our hall is broken')
})

test('machines, lists, forged senders, old mail and the team itself get no automatic reply [own.mail.loops]', async () => {
  const inbox = await replyingInbox()
  const { body } = await inbox.ask('POST', '/api/v1/inboxes', {
    name: 'Sales',
    email: { address: inbox.address.replace('h', 'sales') },
  })
  const vectors: MailFields[] = [
    { headers: ['Auto-Submitted: auto-generated'] },
    { headers: ['Auto-Submitted: auto-replied; owner="x"'] },
    { headers: ['Precedence: bulk'] },
    { headers: ['List-Id: <news.example.com>'] },
    { headers: ['List-Unsubscribe: <https://example.com/u>'] },
    { headers: ['Return-Path: <>'] },
    { headers: ['X-Autoreply: yes'] },
    { headers: ['Subject: Automatic reply: Broken lamp'] },
    { headers: ['Feedback-ID: 1:campaign:ses'] },
    { headers: ['X-Auto-Response-Suppress: OOF, AutoReply'] },
    { headers: ['Authentication-Results: mx.acme.test; dmarc=fail header.from=example.com'] },
    { from: 'postmaster@example.com' },
    { from: 'no-reply@example.com' },
    { from: 'no.reply@example.com' },
    { from: 'notifications@example.com' },
    { from: body.data.email.address },
    { headers: ['Date: Sun, 22 Nov 2020 10:00:00 +0000'] },
  ]
  for (const fields of vectors) {
    const { conversationId } = await inbox.receive(fields)
    expect(await inbox.messagesOf(conversationId), JSON.stringify(fields)).toHaveLength(1)
  }
})

test('an address gets at most ten automatic replies an hour', async () => {
  const inbox = await replyingInbox()
  const counts: number[] = []
  for (let count = 0; count < 12; count++) {
    const replies = await repliesTo(inbox, { text: `Mail ${count}` })
    counts.push(replies.length)
  }
  expect(counts).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
  expect(await repliesTo(inbox, { from: 'bob@example.com' })).toHaveLength(1)
})

test('an inbox that sends no mail makes no automatic reply', async () => {
  expect(await repliesTo(await replyingInbox({ transport: 'none' }), {})).toEqual([])
})

test('two inboxes with automatic replies that face each other make two mails [own.mail.loops]', async () => {
  const [first, second] = [await replyingInbox(), await replyingInbox()]
  const { body } = await second.ask('POST', '/api/v1/customers', { email: first.address, company: 'First' })
  const conversation = { subject: 'Hello', inboxId: second.inboxId, customerId: body.data._id }
  const { _id } = (await second.ask('POST', '/api/v1/conversations', conversation)).body.data
  await second.reply(_id)
  const isExchanged = ({ to }: { to: readonly string[] }) =>
    to.includes(first.address) || to.includes(second.address)
  const exchanged = () => receiver.mails.filter(isExchanged)
  for (let delivered = 0; delivered < 2; delivered++) {
    await expect.poll(() => exchanged().length).toBeGreaterThan(delivered)
    const mail = exchanged()[delivered]
    const receiving = mail?.to.includes(first.address) ? first : second
    await receiving.deliver(mail?.raw ?? '', `?to=${encodeURIComponent(mail?.to[0] ?? '')}`)
  }
  // Replies are queued in the commit of the mail that they are made for, so nothing more can follow.
  const queued = [
    ...(await second.messagesOf(_id)),
    ...(await first.messagesOf((await first.ask('GET', '/api/v1/conversations')).body.data[0]._id)),
  ].filter(({ direction }) => direction === 'outbound')
  expect(queued).toHaveLength(2)
  expect((await second.messagesOf(_id)).length).toBe(2)
})

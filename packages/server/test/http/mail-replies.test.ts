import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
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

const sendingInbox = (settings: object = {}) =>
  makeMailInbox(service, {
    transport: 'smtp',
    smtp: { host: 'localhost', port: receiver.port, security: 'starttls', user: null },
    ...settings,
  })

/** Sends a reply and returns its mail as the server got it, without the breaks of long lines. */
async function sentReply(inbox: MailInbox, conversationId: string, body: object): Promise<string> {
  const { status, body: reply } = await inbox.reply(conversationId, body)
  expect(status).toBe(201)
  const id = reply.data.email.messageId
  const mail = () => receiver.mails.find(({ raw }) => raw.includes(`Message-ID: <${id}>`))?.raw
  await expect.poll(mail).toBeDefined()
  return (mail() ?? '').replaceAll('=\r\n', '').replaceAll('\r\n ', ' ')
}

describe('a reply', () => {
  test('in Markdown is rendered in the HTML of its mail, runs nothing, and stays as written in the text', async () => {
    const inbox = await sendingInbox()
    const { conversationId } = await inbox.receive()
    const content = 'We **look** at it.\nSee [the page](https://acme.test/) <script>x()</script>'
    const raw = await sentReply(inbox, conversationId ?? '', { content, contentType: 'markdown' })
    expect(raw).toContain('We **look** at it.')
    expect(raw).toMatch(/<p>We <strong>look<\/strong> at it.<br \/>/)
    expect(raw).toContain('<a href=3D"https://acme.test/">the page</a> &lt;script&gt;')
  })

  test('continues the chain of the customer’s own mails, which the service has never seen', async () => {
    const inbox = await sendingInbox()
    const headers = ['References: <first@example.com> <second@example.com>']
    const { conversationId } = await inbox.receive({ id: 'third@example.com', headers })
    const raw = await sentReply(inbox, conversationId ?? '', {})
    expect(raw).toContain('References: <first@example.com> <second@example.com> <third@example.com>\r\n')
    expect(raw).toContain('In-Reply-To: <third@example.com>\r\n')
  })
})

describe('a mail', () => {
  test('without a sender in its envelope gets no automatic reply', async () => {
    const inbox = await sendingInbox({ autoReply: { enabled: true, content: 'We have got your mail.' } })
    const silent = await inbox.receive({}, '?from=')
    expect(silent).toMatchObject({ envelope: { from: '' } })
    expect(await inbox.messagesOf(silent['conversationId'])).toHaveLength(1)
    const known = await inbox.receive({ from: 'bob@example.com' }, '?from=bob@example.com')
    expect(await inbox.messagesOf(known['conversationId'])).toHaveLength(2)
    const unknown = await inbox.receive({ from: 'eve@example.com' })
    expect(unknown).toMatchObject({ envelope: { from: null } })
    expect(await inbox.messagesOf(unknown['conversationId'])).toHaveLength(2)
  })

  test('has the time of its Date, and never one after it arrived', async () => {
    const inbox = await sendingInbox()
    const old = await inbox.receive({ headers: ['Date: Sun, 01 Nov 2020 10:00:00 +0100'] })
    expect(await inbox.messagesOf(old['conversationId'])).toMatchObject([
      { sentAt: '2020-11-01T09:00:00.000Z' },
    ])
    const early = await inbox.receive({ headers: ['Date: Sun, 01 Nov 2093 10:00:00 +0100'] })
    expect(await inbox.messagesOf(early['conversationId'])).toMatchObject([{ sentAt: early['receivedAt'] }])
    const { body } = await inbox.reply(old['conversationId'])
    expect(body.data.sentAt).toBeNull()
  })

  test('of a form or a shop is from whom its Reply-To names, where the inbox says so', async () => {
    const inbox = await sendingInbox({ replyToSenders: ['@Shop.example', 'no-reply@form.example'] })
    const headers = ['Reply-To: Grace Hopper <grace@example.com>']
    for (const from of ['orders@shop.example', 'no-reply@form.example']) {
      const { conversationId } = await inbox.receive({ from, headers })
      expect(await inbox.conversationOf(conversationId)).toMatchObject({
        customerId: { profile: { email: 'grace@example.com' } },
      })
      expect(await inbox.messagesOf(conversationId)).toMatchObject([
        {
          sender: { name: 'Grace Hopper' },
          email: { from: { address: 'grace@example.com' }, verified: null },
        },
      ])
    }
    const other = await inbox.receive({ from: 'no-reply@other.example', headers })
    expect(await inbox.conversationOf(other['conversationId'])).toMatchObject({
      customerId: { profile: { email: 'no-reply@other.example' } },
    })
    const refused = await inbox.ask('PUT', `/api/v1/inboxes/${inbox.inboxId}`, {
      email: { ...inbox.settings, replyToSenders: ['shop'] },
    })
    expect(refused).toMatchObject({ status: 422, body: { details: [{ field: 'email.replyToSenders.0' }] } })
  })
})

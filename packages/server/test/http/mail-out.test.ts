import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { call, registerTenant, upload } from '../support/call.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { textOf } from '../support/system-mail.ts'

let service: RunningService
let receiver: SmtpReceiver
let certificate: TestCertificate
let owner: Awaited<ReturnType<typeof registerTenant>>
let inboxId: string
let address: string
let count = 0
beforeAll(async () => {
  certificate = await makeCertificate()
  service = await startService()
  copyFileSync(certificate.caFile, path.join(service.dataDir, 'webhook-ca.pem'))
})
afterAll(async () => {
  await service.stop()
  certificate.remove()
})
beforeEach(async () => {
  receiver = await startSmtpReceiver({ certificate, password: 'hunter2' })
  owner = await registerTenant(service.url)
  inboxId = (await ask('GET', '/api/v1/inboxes')).body.data[0]._id
  count += 1
  address = `support-${count}@example.com`
  await setEmail({})
  return () => receiver.stop()
})

const ask = (method: string, at: string, body?: unknown) =>
  call(service.url, { method, path: at, token: owner.token, ...(body !== undefined && { body }) })

async function setEmail(email: object): Promise<void> {
  const smtp = { host: 'localhost', port: receiver.port, security: 'starttls', user: 'support' }
  const settings = {
    address,
    displayName: 'Support',
    plusAddressing: true,
    transport: 'smtp',
    smtp,
    ...email,
  }
  const set = await ask('PUT', `/api/v1/inboxes/${inboxId}`, { email: settings })
  expect(set.status).toBe(200)
  await ask('PUT', `/api/v1/inboxes/${inboxId}/email-credentials`, { smtpPassword: 'hunter2' })
}

async function openConversation(): Promise<string> {
  const customer = await ask('POST', '/api/v1/customers', { firstName: 'Ada', email: 'ada@example.com' })
  const body = { subject: 'Broken lamp', inboxId, customerId: customer.body.data._id }
  return (await ask('POST', '/api/v1/conversations', body)).body.data._id
}

async function reply(body: object, conversationId?: string) {
  const id = conversationId ?? (await openConversation())
  return ask('POST', `/api/v1/conversations/${id}/messages`, { content: 'It is repaired.', ...body })
}

const messageOf = async (id: string) => (await ask('GET', `/api/v1/messages/${id}`)).body.data
const attemptsOf = async (id: string) => (await ask('GET', `/api/v1/messages/${id}/attempts`)).body.data
/** With MongoDB an event gets its position after its commit. */
const eventsOf = async (types: string) =>
  (await ask('GET', `/api/v1/events?after=earliest&types=${types}`)).body.data
const header = (raw: string, name: string) =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(raw)?.[1]?.replace(/\r\n[ \t]/g, ' ')

test('a reply is queued with its message, sent to the customer, and its status is reported [own.mail.out]', async () => {
  const made = await reply({})
  expect(made.status).toBe(201)
  const { _id, status, email, recipients } = made.body.data
  expect(status).toBe('queued')
  expect(recipients).toEqual([
    {
      address: 'ada@example.com',
      kind: 'to',
      status: 'queued',
      code: null,
      text: null,
      bouncedAt: null,
      complainedAt: null,
    },
  ])
  expect(email).toMatchObject({
    from: { address, name: 'Support' },
    subject: 'Broken lamp',
    possiblyDoubled: false,
  })
  await expect
    .poll(() => messageOf(_id))
    .toMatchObject({ status: 'sent', recipients: [{ status: 'sent', code: 250 }] })
  const [mail] = receiver.mails
  expect(mail?.to).toEqual(['ada@example.com'])
  expect(mail?.from).toMatch(/^support-\d+\+[0-9a-z]{26}\.[a-z2-7]{16}@example\.com$/)
  const raw = mail?.raw ?? ''
  expect(header(raw, 'From')).toBe(`Support <${address}>`)
  expect(header(raw, 'Reply-To')).toContain(mail?.from)
  expect(header(raw, 'Message-ID')).toBe(`<${email.messageId}>`)
  expect(raw).toContain('multipart/alternative')
  expect(await attemptsOf(_id)).toMatchObject([
    { attempt: 1, outcome: 'sent', code: 250, recipients: ['ada@example.com'], host: 'localhost' },
  ])
  await expect
    .poll(() => eventsOf('message.sent,message.updated'))
    .toMatchObject([
      { event: 'message.sent', data: { status: 'queued' } },
      { event: 'message.updated', data: { status: 'sent' } },
    ])
  expect((await ask('GET', `/api/v1/inboxes/${inboxId}`)).body.data.email.smtp.status).toMatchObject({
    ok: true,
  })
})

test('a recipient who is refused for good fails alone, and another attempt goes to nobody who has the mail [own.mail.out]', async () => {
  receiver.behave({ recipient: (to) => (to === 'bob@example.com' ? 550 : undefined) })
  const made = await reply({ cc: ['bob@example.com'] })
  const { _id } = made.body.data
  await expect
    .poll(() => messageOf(_id))
    .toMatchObject({
      status: 'sent',
      recipients: [
        { address: 'ada@example.com', status: 'sent' },
        { address: 'bob@example.com', status: 'failed', code: 550 },
      ],
    })
  expect(await ask('POST', `/api/v1/messages/${_id}/send-again`)).toMatchObject({ status: 409 })
})

test('a mail that is refused for good fails, and is sent again with the same Message-ID when somebody asks [own.mail.takeBack]', async () => {
  receiver.behave({ data: 554 })
  const { _id, email } = (await reply({})).body.data
  await expect
    .poll(() => messageOf(_id))
    .toMatchObject({ status: 'failed', recipients: [{ status: 'failed', code: 554 }] })
  receiver.behave({})
  const again = await ask('POST', `/api/v1/messages/${_id}/send-again`)
  expect([again.status, again.body.data.status]).toEqual([200, 'queued'])
  await expect.poll(() => messageOf(_id)).toMatchObject({ status: 'sent' })
  expect(header(receiver.mails[0]?.raw ?? '', 'Message-ID')).toBe(`<${email.messageId}>`)
  expect((await attemptsOf(_id)).map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'failed',
    'sent',
  ])
})

test('a connection that ends after the last byte leaves the outcome unknown: the mail says that it may be doubled [own.mail.out]', async () => {
  receiver.behave({ cut: 'after-data-kept' })
  const { _id } = (await reply({})).body.data
  await expect
    .poll(() => messageOf(_id))
    .toMatchObject({ status: 'queued', email: { possiblyDoubled: true } })
  expect(await attemptsOf(_id)).toMatchObject([{ outcome: 'unknown' }])
})

test('a refused sign-in leaves the mail queued, the inbox says why, and another password is tried immediately [own.mail.out]', async () => {
  await ask('PUT', `/api/v1/inboxes/${inboxId}/email-credentials`, { smtpPassword: 'wrong' })
  const { _id } = (await reply({})).body.data
  await expect.poll(() => attemptsOf(_id)).toMatchObject([{ outcome: 'refused_sign_in' }])
  expect(await messageOf(_id)).toMatchObject({ status: 'queued', email: { possiblyDoubled: false } })
  const { smtp } = (await ask('GET', `/api/v1/inboxes/${inboxId}`)).body.data.email
  expect(smtp.status).toMatchObject({ ok: false, error: expect.stringContaining('535') })
  const waitMs = Date.parse(smtp.status.nextTryAt) - Date.parse(smtp.status.checkedAt)
  expect(Math.abs(waitMs - 60_000)).toBeLessThan(5_000)
  const waiting = (await reply({})).body.data
  await ask('PUT', `/api/v1/inboxes/${inboxId}/email-credentials`, { smtpPassword: 'hunter2' })
  const next = (await reply({})).body.data
  for (const { _id: id } of [waiting, next])
    await expect.poll(() => messageOf(id)).toMatchObject({ status: 'sent' })
})

test('a test that reaches the server ends the waiting of its mail at once', async () => {
  const { port } = receiver
  await receiver.stop()
  receiver = await startSmtpReceiver({ certificate, password: 'another', port })
  const { _id } = (await reply({})).body.data
  await expect.poll(() => attemptsOf(_id)).toMatchObject([{ outcome: 'refused_sign_in' }])
  await receiver.stop()
  receiver = await startSmtpReceiver({ certificate, password: 'hunter2', port })
  const tested = await ask('POST', `/api/v1/inboxes/${inboxId}/email-test`, {})
  expect(tested.body.data).toMatchObject({ ok: true })
  await expect.poll(() => messageOf(_id)).toMatchObject({ status: 'sent' })
  const { smtp } = (await ask('GET', `/api/v1/inboxes/${inboxId}`)).body.data.email
  expect(smtp.status).toMatchObject({ ok: true, error: null, nextTryAt: null })
})

test('the relay of a developer keeps the mail, and sends as the installation’s own address', async () => {
  await setEmail({ transport: 'relay', plusAddressing: false })
  const { _id, email } = (await reply({})).body.data
  expect(email).toMatchObject({ from: { address: 'support@crmkit.test', name: 'Support' }, replyTo: address })
  await expect.poll(() => messageOf(_id)).toMatchObject({ status: 'sent' })
  expect(receiver.mails).toEqual([])
})

test('a reply continues the last mail: its subject, its thread, and everyone of it', async () => {
  const conversationId = await openConversation()
  const first = (await reply({ to: ['ada@example.com'], cc: ['bob@example.com'] }, conversationId)).body.data
  const second = (await reply({}, conversationId)).body.data
  expect(second.email).toMatchObject({ subject: 'Re: Broken lamp', inReplyTo: first.email.messageId })
  await expect.poll(() => messageOf(second._id)).toMatchObject({ status: 'sent' })
  const raw = receiver.mails.find((mail) => mail.raw.includes(second.email.messageId))?.raw ?? ''
  expect(header(raw, 'In-Reply-To')).toBe(`<${first.email.messageId}>`)
  expect(header(raw, 'References')).toBe(`<${first.email.messageId}>`)
})

const injected = 'x\r\nBcc: evil@example.com'
test.each([
  ['the subject', { subject: injected }],
  ['a recipient', { to: [`a@example.com\r\nBcc: evil@example.com`] }],
  ['a copy', { cc: [`"x\r\nBcc: evil@example.com"@example.com`] }],
  ['a hidden copy', { bcc: ['a@example.com>\r\nRCPT TO:<evil@example.com'] }],
])('refuses a line break in %s', async (_, body) => {
  expect((await reply(body)).status).toBe(422)
})

test('no text becomes a header or a recipient [own.mail.out]', async () => {
  const evil = 'x\r\n.\r\nMAIL FROM:<evil@example.com>\r\nBcc: evil@example.com'
  await setEmail({ signature: '{{agent.firstName}}\n\nBcc: evil@example.com' })
  const { _id } = (await reply({ content: evil, subject: 'ä"<b>: ; = ?=' })).body.data
  await expect.poll(() => messageOf(_id)).toMatchObject({ status: 'sent' })
  const [mail] = receiver.mails
  expect(mail?.to).toEqual(['ada@example.com'])
  const headers = (mail?.raw ?? '').split('\r\n\r\n', 1)[0] ?? ''
  expect(headers).not.toMatch(/^(Bcc|MAIL)/im)
  expect(receiver.mails).toHaveLength(1)
})

test('the signature of the inbox is Markdown, and its values are text', async () => {
  const { _id: userId } = (await ask('GET', '/api/v1/users/me')).body.data
  await ask('PUT', `/api/v1/users/${userId}`, { firstName: '<i>Ol*ive*</i>' })
  await setEmail({ signature: '**{{agent.firstName}}**, [Help](https://acme.test)\n<script>x</script>' })
  const { _id } = (await reply({})).body.data
  await expect.poll(() => messageOf(_id)).toMatchObject({ status: 'sent' })
  const raw = textOf(receiver.mails[0]?.raw ?? '')
  expect(raw).toContain('-- \r\n**<i>Ol*ive*</i>**, [Help](https://acme.test)')
  expect(raw).toContain(
    '<strong>&lt;i&gt;Ol*ive*&lt;/i&gt;</strong>, <a href="https://acme.test">Help</a><br />',
  )
  expect(raw).toContain('&lt;script&gt;x&lt;/script&gt;')
})

test('recipients need an inbox that sends, and a mail needs somebody to go to', async () => {
  await setEmail({ transport: 'none' })
  const refused = await reply({ to: ['a@example.com'], subject: 'Hello' })
  expect(refused.body.details).toMatchObject([
    { field: 'to', rule: 'transport' },
    { field: 'subject', rule: 'transport' },
  ])
  expect((await reply({})).body.data).toMatchObject({ status: 'sent', email: null, recipients: [] })
  await setEmail({})
  const nobody = await ask('POST', '/api/v1/conversations', { subject: 'Hello', inboxId })
  const empty = await reply({}, nobody.body.data._id)
  expect([empty.status, empty.body.details[0]]).toMatchObject([422, { field: 'to', rule: 'required' }])
})

test('a mail server of an inbox may not be another service of this network [own.mail.secrets]', async () => {
  const smtp = { host: '169.254.169.254', port: 80, security: 'tls' }
  const set = await ask('PUT', `/api/v1/inboxes/${inboxId}`, { email: { address, smtp } })
  expect(set.body.details).toMatchObject([{ field: 'email.smtp.host', rule: 'destination' }])
})

test('a reply can be taken back while its delay lasts, and not after it [own.mail.takeBack]', async () => {
  await setEmail({ sendDelaySeconds: 60 })
  const conversationId = await openConversation()
  const ofConversation = async () => (await ask('GET', `/api/v1/conversations/${conversationId}`)).body.data
  const said = { content: 'Is it repaired?', direction: 'inbound' }
  const asked = (await ask('POST', `/api/v1/conversations/${conversationId}/messages`, said)).body.data
  const waits = {
    waitingSince: asked.createdAt,
    lastMessage: { _id: asked._id },
    lastMessageAt: asked.createdAt,
  }
  expect(await ofConversation()).toMatchObject(waits)
  const { _id } = (await reply({}, conversationId)).body.data
  expect(await ofConversation()).toMatchObject({ waitingSince: null, lastMessage: { _id } })
  const deleted = await ask('DELETE', `/api/v1/messages/${_id}`)
  expect(deleted.status).toBe(200)
  expect((await ask('GET', `/api/v1/messages/${_id}`)).status).toBe(404)
  // The customer waits as before.
  expect(await ofConversation()).toMatchObject({ ...waits, messageCount: 1 })
  await expect.poll(() => eventsOf('message.deleted')).toMatchObject([{ data: { _id } }])
  await expect
    .poll(() => eventsOf('conversation.updated'))
    .toMatchObject([
      { data: { _id: conversationId, ...waits }, changes: { messageCount: { from: 2, to: 1 } } },
    ])
  await setEmail({})
  const sent = (await reply({}, conversationId)).body.data
  const late = await ask('DELETE', `/api/v1/messages/${sent._id}`)
  expect([late.status, late.body.code]).toEqual([409, 'INVALID_STATE'])
  await expect.poll(() => messageOf(sent._id)).toMatchObject({ status: 'sent' })
  expect(receiver.mails).toHaveLength(1)
})

test('mail that waits for its server leaves when it is back, and few mails have tried it before', async () => {
  const { port } = receiver
  await receiver.stop()
  const idOf = ({ body }: Awaited<ReturnType<typeof reply>>): string => body.data._id
  const tried = (await Promise.all([reply({}), reply({}), reply({})])).map(idOf)
  for (const id of tried) await expect.poll(() => attemptsOf(id)).toMatchObject([{ outcome: 'unreachable' }])
  const waiting = (await Promise.all([reply({}), reply({}), reply({})])).map(idOf)
  receiver = await startSmtpReceiver({ certificate, password: 'hunter2', port })
  const ids = [...tried, ...waiting]
  const isSent = async () => (await Promise.all(ids.map(messageOf))).every(({ status }) => status === 'sent')
  await expect.poll(isSent).toBe(true)
  for (const id of waiting) expect(await attemptsOf(id)).toMatchObject([{ outcome: 'sent' }])
  expect(receiver.mails).toHaveLength(ids.length)
})

test('a reply of files alone is a reply: it has an empty text, and its mail names the files above the signature', async () => {
  await setEmail({ signature: 'Support team' })
  const file = new File(['A lamp'], 'lamp.txt', { type: 'text/plain' })
  const { _id: fileId } = await upload(service.url, { token: owner.token, file })
  const conversationId = await openConversation()
  const path = `/api/v1/conversations/${conversationId}/messages`
  const made = await ask('POST', path, { attachments: [fileId] })
  expect([made.status, made.body.data]).toMatchObject([201, { content: '', attachments: [{ _id: fileId }] }])
  await expect.poll(() => messageOf(made.body.data._id)).toMatchObject({ status: 'sent' })
  expect(textOf(receiver.mails[0]?.raw ?? '')).toMatch(/\r\n\r\nlamp\.txt\r\n\r\n-- \r\nSupport team\r\n/)
  const { data } = (await ask('GET', `/api/v1/conversations/${conversationId}`)).body
  expect(data.lastMessage).toMatchObject({ preview: null, files: 1 })
  expect(data.firstResponseAt).toBe(made.body.data.createdAt)
})

test('a reply without words and without files is refused, also as the first message', async () => {
  const path = `/api/v1/conversations/${await openConversation()}/messages`
  const problemsOf = async (at: string, body: object) => (await ask('POST', at, body)).body.details
  expect(await problemsOf(path, {})).toMatchObject([{ field: 'content', rule: 'required' }])
  expect(await problemsOf(path, { content: ' \n', attachments: [] })).toMatchObject([
    { field: 'content', rule: 'min' },
  ])
  expect(await problemsOf('/api/v1/conversations', { subject: 'Lamp', inboxId, message: {} })).toMatchObject([
    { field: 'message.content', rule: 'required' },
  ])
})

import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { newFileTenant } from '../support/import-files.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { switchWidgetOn, WidgetVisitor } from '../support/widget-visitor.ts'

// Small texts that once cost seconds of the service, each at the door where a stranger brings it. The processor time is
// that of the whole process, with this test's own requests.

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

const marks = '\u0323\u0301'

async function cpuMsOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

test('a signature of an open variable and 4,000 blanks is saved at once', async () => {
  const { ask, inboxId } = await makeMailInbox(service)
  const signature = `{{${' '.repeat(4_000)}x`
  const cost = await cpuMsOf(() => ask('PUT', `/api/v1/inboxes/${inboxId}`, { email: { signature } }))
  expect(cost).toBeLessThan(1_000)
})

test('a visitor reads HTML with 40,000 tabs at once', async () => {
  const owner = await registerTenant(service.url)
  const { key } = await switchWidgetOn(service.url, owner.token)
  const visitor = new WidgetVisitor(service.url)
  await visitor.begin(key)
  const { _id } = await visitor.ask('Hello')
  const { status } = await call(service.url, {
    method: 'POST',
    path: `/api/v1/conversations/${_id}/messages`,
    token: owner.token,
    body: { contentType: 'html', content: `<p>a${'\t'.repeat(40_000)}b</p>` },
  })
  expect(status).toBe(201)
  const read = () => visitor.send('GET', `/api/v1/widget/conversations/${_id}/messages`)
  expect((await read()).body.data).toHaveLength(2)
  expect(await cpuMsOf(read)).toBeLessThan(1_000)
})

test('a mail of 60,000 blanks is quoted by an agent at once', async () => {
  const inbox = await makeMailInbox(service, {
    transport: 'smtp',
    smtp: { host: 'localhost', port: receiver.port, security: 'starttls', user: null },
    autoReply: { enabled: true, content: 'We have got your mail.' },
  })
  await inbox.receive()
  await expect.poll(() => receiver.mails.length).toBe(1)
  const text = `<p>a${' '.repeat(60_000)}b</p>`
  const cost = await cpuMsOf(async () => {
    const { conversationId } = await inbox.receive({
      from: 'Bea <bea@example.com>',
      headers: ['Content-Type: text/html; charset=utf-8'],
      text,
    })
    await inbox.reply(conversationId)
    await expect.poll(() => receiver.mails.length).toBe(3)
  })
  expect(cost).toBeLessThan(3_000)
})

test('a cell of 40,000 combining marks is imported and cut at once', async () => {
  const tenant = await newFileTenant(service.url)
  const text = `id,content,parentId\n1,a${marks.repeat(20_000)},1\n`
  await tenant.importText('Contacts', 'id,lastName\n1,Arno\n')
  const cost = await cpuMsOf(async () => {
    const { run } = await tenant.importText('Notes', text)
    expect(run).toMatchObject({ status: 'completed' })
  })
  expect(cost).toBeLessThan(1_500)
})

test('a file whose header has 30,000 combining marks is taken at once, with a shorter name', async () => {
  const tenant = await newFileTenant(service.url)
  const text = `id,email,a${marks.repeat(15_000)}\n1,a@b.test,x\n`
  const cost = await cpuMsOf(async () => {
    const { status, body } = await tenant.upload('Contacts', text)
    expect(status).toBe(201)
    expect(JSON.stringify(body.data).length).toBeLessThan(5_000)
  })
  expect(cost).toBeLessThan(1_000)
})

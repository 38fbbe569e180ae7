import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { verifiedDkim } from '../support/verify-dkim.ts'

let running: RunningService
let dns: DnsServer
let certificate: TestCertificate
let receiver: SmtpReceiver
let token: string
let inboxId: string
let domain: string
let count = 0
beforeAll(async () => {
  certificate = await makeCertificate()
  dns = await startDnsServer()
  receiver = await startSmtpReceiver({ certificate, password: 'hunter2' })
  running = await startService({}, { nameServers: [dns.address] })
  copyFileSync(certificate.caFile, path.join(running.dataDir, 'webhook-ca.pem'))
})
afterAll(async () => {
  await running.stop()
  await receiver.stop()
  await dns.stop()
  certificate.remove()
})
beforeEach(async () => {
  const owner = await registerTenant(running.url)
  token = owner.token
  inboxId = (await ask('GET', '/api/v1/inboxes')).body.data[0]._id
  count += 1
  domain = `shop-${count}.example`
})

const ask = (method: string, at: string, body?: unknown) =>
  call(running.url, { method, path: at, token, ...(body !== undefined && { body }) })
const ofInbox = (method: string, what: string, body?: unknown) =>
  ask(method, `/api/v1/inboxes/${inboxId}${what}`, body)

async function setEmail(email: object): Promise<void> {
  const smtp = { host: 'localhost', port: receiver.port, security: 'starttls', user: 'support' }
  const settings = { address: `help@${domain}`, transport: 'smtp', smtp, ...email }
  expect((await ask('PUT', `/api/v1/inboxes/${inboxId}`, { email: settings })).status).toBe(200)
}

const setPassword = (smtpPassword: string) =>
  ask('PUT', `/api/v1/inboxes/${inboxId}/email-credentials`, { smtpPassword })

async function reply(content = 'It is repaired.'): Promise<string> {
  const customer = await ask('POST', '/api/v1/customers', { firstName: 'Ada', email: `ada@${domain}` })
  const body = { subject: 'Broken lamp', inboxId, customerId: customer.body.data._id }
  const conversation = (await ask('POST', '/api/v1/conversations', body)).body.data
  const at = `/api/v1/conversations/${conversation._id}/messages`
  return (await ask('POST', at, { content })).body.data._id
}

/** The mail that the receiver got for the customer of this test. */
async function receivedMail(): Promise<string> {
  const find = () => receiver.mails.find(({ to }) => to.includes(`ada@${domain}`))
  await expect.poll(find).toBeDefined()
  return find()?.raw ?? ''
}

interface Step {
  step: string
  ok: boolean
  ms: number
  error: string | null
}

/** The steps as `name` or `name: sentence`. */
const summaryOf = (steps: readonly Step[]) =>
  steps.map(({ step, ok, error }) => (ok ? step : `${step}: ${error}`))

describe('a test of the transport', () => {
  test('every step is reported with its time, and a mail is sent to the address that is named [own.mail.setup]', async () => {
    await setEmail({})
    await setPassword('hunter2')
    const connected = await ofInbox('POST', '/email-test', {})
    expect([connected.status, connected.body.data.ok]).toEqual([200, true])
    expect(summaryOf(connected.body.data.steps)).toEqual(['resolve', 'connect', 'tls', 'sign_in'])
    for (const { ms } of connected.body.data.steps) expect(ms).toBeGreaterThanOrEqual(0)
    const sent = await ofInbox('POST', '/email-test', { to: `ada@${domain}` })
    expect(summaryOf(sent.body.data.steps)).toEqual(['resolve', 'connect', 'tls', 'sign_in', 'send'])
    expect(await receivedMail()).toContain(`From: help@${domain}`)
  })

  test.each([
    ['the name does not exist', { host: 'nowhere.invalid' }, /^resolve: The name of the server/, 1],
    ['nothing listens', { port: 1 + 1024 }, /^connect: Nothing listens at port 1025 of localhost/, 2],
    ['the server speaks no TLS at first', { security: 'tls' }, /^tls: The connection cannot be encrypted/, 3],
  ])('when %s, one sentence says what to check', async (_, change, sentence, steps) => {
    const server = { host: 'localhost', port: receiver.port, security: 'starttls', user: 'support' }
    await setEmail({ smtp: { ...server, ...change } })
    await setPassword('hunter2')
    const { body } = await ofInbox('POST', '/email-test', {})
    expect(body.data.ok).toBe(false)
    expect(summaryOf(body.data.steps)).toHaveLength(steps)
    expect(summaryOf(body.data.steps).at(-1)).toMatch(sentence)
  })

  test('a refused password is said without the password [own.mail.secrets]', async () => {
    await setEmail({})
    await setPassword('not the one of the server')
    const { body } = await ofInbox('POST', '/email-test', { to: `ada@${domain}` })
    expect(summaryOf(body.data.steps).at(-1)).toMatch(/^sign_in: The server refuses the user or the password/)
    expect(JSON.stringify(body)).not.toContain('not the one')
  })

  test('a refused recipient is the sentence of the server', async () => {
    receiver.behave({ recipient: () => 550 })
    await setEmail({})
    await setPassword('hunter2')
    const { body } = await ofInbox('POST', '/email-test', { to: `ada@${domain}` })
    receiver.behave({})
    expect(summaryOf(body.data.steps).at(-1)).toMatch(/^send: The server refuses the mail: .*550/)
  })

  test('an inbox without an address or a transport has nothing to test', async () => {
    expect((await ofInbox('POST', '/email-test', {})).status).toBe(409)
    await setEmail({ transport: 'none' })
    expect((await ofInbox('POST', '/email-test', {})).status).toBe(409)
  })

  test('the words of the relay of the installation stay with its operator [own.mail.setup]', async () => {
    const own = await startService({
      CRM_SMTP_URL: 'smtp://127.0.0.1:1025',
      CRM_MAIL_FROM: 'crm@example.com',
    })
    const { token: other } = await registerTenant(own.url)
    const body = { name: 'Mail', email: { address: 'relayed@example.com', transport: 'relay' } }
    const made = await call(own.url, { method: 'POST', path: '/api/v1/inboxes', token: other, body })
    const at = `/api/v1/inboxes/${made.body.data._id}/email-test`
    const tested = await call(own.url, { method: 'POST', path: at, token: other, body: {} })
    expect(summaryOf(tested.body.data.steps)).toEqual([
      'resolve',
      'connect: The relay of this installation failed at this step: ask its operator.',
    ])
    await own.stop()
  })
})

describe('the DNS of an inbox', () => {
  const recordsOf = async () => (await ofInbox('GET', '/dns')).body.data

  test('each record is shown with what is published, and is right only with the right value [own.mail.domain]', async () => {
    await setEmail({ smtp: { host: '127.0.0.1', port: 587, security: 'starttls', user: 'support' } })
    await ofInbox('POST', '/dkim-key', {})
    const before = await recordsOf()
    expect(before).toMatchObject({ domain, ok: false })
    expect(before.records.map(({ purpose, published, ok }: never) => [purpose, published, ok])).toEqual([
      ['ownership', [], false],
      ['spf', [], false],
      ['dkim', [], false],
      ['dmarc', [], false],
    ])
    for (const { name, value } of before.records) dns.records.set(name, ['other text', value])
    expect(await recordsOf()).toMatchObject({ ok: true })
    dns.records.set(domain, ['v=spf1 mx ~all', 'v=spf1 -all'])
    dns.records.set(`crm1._domainkey.${domain}`, ['v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG'])
    dns.records.set(`_crmkit.${domain}`, ['crmkit-verify=inb_another'])
    const wrong = (await recordsOf()).records.filter(({ ok }: { ok: boolean }) => !ok)
    expect(wrong.map(({ purpose }: { purpose: string }) => purpose)).toEqual(['ownership', 'spf', 'dkim'])
  })

  test('the record of SPF is right only when it allows the server of the mail, and the term that it lacks is added to it', async () => {
    const spf = async () => {
      const found: { purpose: string }[] = (await recordsOf()).records
      return found.find(({ purpose }) => purpose === 'spf')
    }
    const smtp = { host: '127.0.0.1', port: 587, security: 'starttls', user: 'support' }
    await setEmail({ smtp })
    dns.records.set(domain, ['v=spf1 include:_spf.google.com -all'])
    dns.records.set('_spf.google.com', ['v=spf1 ip4:198.51.100.0/24 ~all'])
    expect(await spf()).toMatchObject({
      ok: false,
      reason: expect.stringContaining('does not allow 127.0.0.1'),
      value: 'v=spf1 include:_spf.google.com ip4:127.0.0.1 -all',
    })
    dns.records.set(domain, ['v=spf1 include:_spf.google.com ip4:127.0.0.1 -all'])
    expect(await spf()).toMatchObject({ ok: true, reason: null })
    await setEmail({ smtp: { ...smtp, host: 'smtp.gmail.com' } })
    expect(await spf()).toMatchObject({ ok: true, reason: null })
    // A company proves its domain to many services by records beside it.
    const others = Array.from({ length: 25 }, (_, index) => `n=${index}`)
    dns.records.set(domain, [...others, 'v=spf1 include:_spf.google.com -all'])
    expect(await spf()).toMatchObject({ ok: true, reason: null })
  })

  test.each([
    [
      'that only its own network knows',
      { smtp: { host: 'localhost', port: 587, security: 'starttls', user: 'me' } },
    ],
    ['without an address', { smtp: { host: 'gone.example', port: 587, security: 'starttls', user: 'me' } }],
    ['that nobody knows', { transport: 'none', smtp: undefined }],
  ])('of a server %s it cannot be said whether the record of SPF allows it', async (_, email) => {
    const spf = async () =>
      (await recordsOf()).records.find((one: { purpose: string }) => one.purpose === 'spf')
    await setEmail(email)
    dns.records.set(domain, ['v=spf1 mx ~all'])
    expect(await spf()).toMatchObject({ ok: null, reason: expect.any(String), value: 'v=spf1 mx ~all' })
    dns.records.set(domain, ['v=spf1 -all'])
    expect(await spf()).toMatchObject({ ok: false, reason: 'The record allows no server at all.' })
  })

  test('silent name servers are shown as such, and take no proof away', async () => {
    await setEmail({})
    dns.records.set(`_crmkit.${domain}`, [`crmkit-verify=${inboxId}`])
    expect((await ofInbox('POST', '/verify-domain')).body.data.email.domainProvenAt).not.toBeNull()
    dns.isSilent = true
    const { records } = await recordsOf()
    expect(records.map(({ published, ok }: { published: unknown; ok: unknown }) => [published, ok])).toEqual(
      Array(3).fill([null, null]),
    )
    expect((await ofInbox('POST', '/verify-domain')).body.data.email.domainProvenAt).not.toBeNull()
    dns.isSilent = false
    dns.records.delete(`_crmkit.${domain}`)
    expect((await ofInbox('POST', '/verify-domain')).body.data.email.domainProvenAt).toBeNull()
  })

  test('an address that a stranger has entered is proven by its owner, and is nobody else’s then [own.mail.domain]', async () => {
    const stranger = await registerTenant(running.url)
    const { token: strangersToken } = stranger
    const inboxes = await call(running.url, { path: '/api/v1/inboxes', token: strangersToken })
    const strangersId: string = inboxes.body.data[0]._id
    const path = `/api/v1/inboxes/${strangersId}`
    const address = `help@${domain}`
    const entered = await call(running.url, {
      method: 'PUT',
      path,
      token: strangersToken,
      body: { email: { address } },
    })
    expect(entered.status).toBe(200)
    await setEmail({})
    dns.records.set(`_crmkit.${domain}`, [`crmkit-verify=${inboxId}`, `crmkit-verify=${strangersId}`])
    const proven = await ofInbox('POST', '/verify-domain')
    expect(proven.body.data.email.domainProvenAt).not.toBeNull()
    const second = await call(running.url, {
      method: 'POST',
      path: `${path}/verify-domain`,
      token: strangersToken,
    })
    expect([second.status, second.body.code]).toEqual([409, 'CONFLICT'])
    expect(second.body.error).not.toContain(inboxId)
  })

  test('the relay sends from the address of an inbox once its domain is proven, until the domain changes [own.mail.domain]', async () => {
    const fromOf = async () => {
      const message = await ask('GET', `/api/v1/messages/${await reply()}`)
      return message.body.data.email.from.address
    }
    await setEmail({ transport: 'relay', smtp: null })
    expect(await fromOf()).toBe('support@crmkit.test')
    dns.records.set(`_crmkit.${domain}`, ['crmkit-verify=inb_another'])
    expect((await ofInbox('POST', '/verify-domain')).body.data.email.domainProvenAt).toBeNull()
    dns.records.set(`_crmkit.${domain}`, [`crmkit-verify=${inboxId}`])
    await ofInbox('POST', '/verify-domain')
    expect(await fromOf()).toBe(`help@${domain}`)
    await setEmail({ transport: 'relay', smtp: null, address: `help@other-${domain}` })
    expect(await fromOf()).toBe('support@crmkit.test')
  })
})

describe('a DKIM key', () => {
  const keyOf = async () => (await ask('GET', `/api/v1/inboxes/${inboxId}`)).body.data.email.dkim

  test('every mail of the inbox is signed, and the signature is right with the published key alone [own.mail.domain]', async () => {
    await setEmail({})
    await setPassword('hunter2')
    const made = await ofInbox('POST', '/dkim-key', {})
    expect(made.status).toBe(200)
    expect(JSON.stringify(made.body)).not.toContain('PRIVATE')
    await reply('Größe: 4 cm.  \n\n.\n\n')
    const raw = await receivedMail()
    const { publicKey } = await keyOf()
    expect(verifiedDkim(raw, publicKey)).toMatchObject({ d: domain, s: 'crm1' })
    expect(verifiedDkim(raw.replace('Broken lamp', 'Broken lamb'), publicKey)).toBeUndefined()
    expect(verifiedDkim(raw.replace(': 4 cm', ': 5 cm'), publicKey)).toBeUndefined()
    await ofInbox('POST', '/dkim-key', {})
    expect(await keyOf()).toMatchObject({ selector: 'crm2' })
    expect(verifiedDkim(raw, (await keyOf()).publicKey)).toBeUndefined()
  })

  test('a deleted key signs nothing, and another domain begins without one [own.mail.domain]', async () => {
    await setEmail({})
    await setPassword('hunter2')
    await ofInbox('POST', '/dkim-key', { selector: 'Mail' })
    expect(await keyOf()).toMatchObject({ selector: 'mail' })
    expect((await ofInbox('DELETE', '/dkim-key')).body.data.email.dkim).toBeNull()
    await reply()
    expect(await receivedMail()).not.toMatch(/^DKIM-Signature/m)
    await ofInbox('POST', '/dkim-key', {})
    await setEmail({ address: `help@other-${domain}` })
    expect(await keyOf()).toBeNull()
  })

  test('a key needs an address, and a selector that a name in the DNS can have', async () => {
    expect((await ofInbox('POST', '/dkim-key', {})).status).toBe(409)
    await setEmail({})
    for (const selector of ['a b', '-a', 'a.b', 'ä', 'x'.repeat(64)])
      expect((await ofInbox('POST', '/dkim-key', { selector })).status).toBe(422)
  })

  test('the mail of the relay’s own domain carries no signature of the inbox', async () => {
    await setEmail({ transport: 'relay', smtp: null })
    await ofInbox('POST', '/dkim-key', {})
    await reply()
    const kept = async () => {
      const { data } = (await (await fetch(`${running.url}/dev/mail.json`)).json()) as {
        data: { envelope: { to: string[] }; raw: string }[]
      }
      return data.find(({ envelope }) => envelope.to.includes(`ada@${domain}`))?.raw
    }
    await expect.poll(kept).toBeDefined()
    expect(await kept()).not.toMatch(/^DKIM-Signature/m)
  })
})

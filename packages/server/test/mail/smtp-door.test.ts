import { writeFileSync } from 'node:fs'
import path from 'node:path'
import nodemailer from 'nodemailer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInProcessRateLimiter } from '../../src/adapters/in-process/in-process-rate-limiter.ts'
import { noDisk } from '../../src/adapters/in-process/no-disk.ts'
import { type MailBudgetParts, MailBudgets } from '../../src/fairness/mail-budgets.ts'
import { TenantQuotas } from '../../src/http/quotas/tenant-quotas.ts'
import { sharedTag } from '../../src/mail/addresses/mail-tags.ts'
import { createSmtpDoor } from '../../src/mail/in/smtp-door/smtp-door.ts'
import { noMeters } from '../../src/ports/meters.ts'
import { createSecretBox } from '../../src/security/secret-box.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { StorageUnavailable } from '../../src/storage/errors.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { silentLog } from '../support/silent-log.ts'
import { openSmtp } from '../support/smtp-client.ts'
import { type RunningService, startService } from '../support/start-service.ts'

const domain = 'in.example.com'
let certificate: TestCertificate
let dns: DnsServer
let service: RunningService
let inbox: MailInbox
let other: MailInbox
beforeAll(async () => {
  certificate = await makeCertificate()
  const [cert, key] = ['cert', 'key'].map((name) =>
    path.join(path.dirname(certificate.caFile), `${name}.pem`),
  )
  writeFileSync(cert ?? '', certificate.cert)
  writeFileSync(key ?? '', certificate.key)
  dns = await startDnsServer()
  const env = {
    CRM_MAIL_DOMAIN: domain,
    CRM_SMTP_PORT: '0',
    CRM_SMTP_TLS_CERT: cert ?? '',
    CRM_SMTP_TLS_KEY: key ?? '',
  }
  service = await startService(env, { nameServers: [dns.address] })
  inbox = await makeMailInbox(service, { plusAddressing: false })
  other = await makeMailInbox(service)
})
afterAll(async () => {
  await service?.stop()
  await dns?.stop()
  certificate.remove()
})

const url = () => service.smtpUrl ?? ''
const addressOf = ({ token }: MailInbox) => `${token}@${domain}`
const mailsOf = async (of: MailInbox) => (await of.ask('GET', '/api/v1/inbound-mails?limit=100')).body.data
const withSubject = async (of: MailInbox, subject: string) => {
  const found = async () =>
    (await mailsOf(of)).filter((mail: { subject: string; status: string }) => mail.subject === subject)
  await expect.poll(async () => (await found()).length).toBeGreaterThan(0)
  return found()
}

const mailOf = (subject: string, text = 'Hello') =>
  `From: Ada <ada@example.com>\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.com>\r\nDate: Mon, 05 Jan 2026 10:00:00 +0000\r\n\r\n${text}\r\n`

async function begin(recipients: readonly string[]) {
  const client = await openSmtp(url())
  expect(await client.say('EHLO mail.example.com')).toMatch(/^250 /)
  expect(await client.say('MAIL FROM:<ada@example.com>')).toMatch(/^250 /)
  for (const recipient of recipients) expect(await client.say(`RCPT TO:<${recipient}>`)).toMatch(/^250 /)
  return client
}

async function deliver(recipients: readonly string[], raw: string): Promise<string> {
  const client = await begin(recipients)
  expect(await client.say('DATA')).toMatch(/^354 /)
  const said = await client.say(`${raw}.`)
  client.end()
  return said
}

test('a mail over STARTTLS becomes a message, and the stored envelope names no token', async () => {
  const { hostname, port } = new URL(url())
  const transport = nodemailer.createTransport({
    host: hostname,
    port: Number(port),
    requireTLS: true,
    tls: { ca: certificate.cert, servername: 'localhost' },
  })
  const to = addressOf(inbox)
  const sent = await transport.sendMail({
    from: 'Jürgen <j@example.com>',
    to,
    subject: 'Über TLS',
    text: 'Grüße',
  })
  expect(sent.response).toMatch(/^250 /)
  const [mail] = await withSubject(inbox, 'Über TLS')
  expect(mail).toMatchObject({ door: 'smtp', status: 'processed', envelope: { from: 'j@example.com' } })
  expect(JSON.stringify(mail)).not.toContain(inbox.token.toLowerCase())
  const raw = await fetch(`${service.url}/api/v1/inbound-mails/${mail._id}/raw`, {
    headers: { Authorization: `Bearer ${inbox.owner.token}` },
  })
  expect(await raw.text()).toMatch(
    /^Return-Path: <j@example\.com>\r\nReceived: from \S+ \(\[127\.0\.0\.1\]\) by in\.example\.com with ESMTPS/,
  )
})

test('only addresses of this service are accepted: everybody else, open relaying and a sign-in are refused [own.mail.doors]', async () => {
  const client = await begin([addressOf(inbox)])
  const { token } = inbox
  const wrong = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`
  for (const to of [`${wrong}@${domain}`, `${token}@example.com`, inbox.address, `reply@${domain}`])
    expect(await client.say(`RCPT TO:<${to}>`)).toMatch(/^550 /)
  expect(await client.say('AUTH PLAIN AGEAYg==')).toMatch(/^5/)
  client.end()
})

test('a mail for inboxes of several tenants is stored once for each, also when the sender repeats it', async () => {
  const recipients = [addressOf(inbox), addressOf(other)]
  for (const _ of [1, 2]) expect(await deliver(recipients, mailOf('several'))).toMatch(/^250 /)
  for (const of of [inbox, other]) expect(await withSubject(of, 'several')).toHaveLength(1)
})

test('a reply to a signed address joins its conversation, and its own authentication results count for nothing', async () => {
  const first = await inbox.receive({ from: 'Eve <eve@example.com>' })
  expect((await inbox.reply(first['conversationId'])).status).toBe(201)
  const messages = await inbox.messagesOf(first['conversationId'])
  const { replyTo } = messages.find(({ direction }: { direction: string }) => direction === 'outbound').email
  expect(replyTo.address ?? replyTo).toMatch(/^reply\+[^@]+@in\.example\.com$/)
  const forged = `Authentication-Results: mx.acme.test; dmarc=pass header.from=example.com\r\n${mailOf('signed')}`
  expect(await deliver([replyTo.address ?? replyTo], forged)).toMatch(/^250 /)
  const [mail] = await withSubject(inbox, 'signed')
  await expect.poll(async () => (await withSubject(inbox, 'signed'))[0].status).toBe('processed')
  const [{ messageId, conversationId }] = await withSubject(inbox, 'signed')
  expect([mail.door, conversationId]).toEqual(['smtp', first['conversationId']])
  expect((await inbox.messageOf(messageId)).email.verified).toBeNull()
})

test('a reply to the signed address of an inbox at the domain of the door joins its conversation', async () => {
  const own = await makeMailInbox(service, { address: `own@${domain}`, plusAddressing: true })
  const { conversationId = '' } = await own.receive({ from: 'Eve <eve@example.com>' })
  expect((await own.reply(conversationId)).status).toBe(201)
  const messages = await own.messagesOf(conversationId)
  const { replyTo } = messages.find(({ direction }: { direction: string }) => direction === 'outbound').email
  expect(replyTo.address ?? replyTo).toMatch(/^own\+[^@]+@in\.example\.com$/)
  expect(await deliver([replyTo.address ?? replyTo], mailOf('signed by inbox'))).toMatch(/^250 /)
  await expect.poll(async () => (await withSubject(own, 'signed by inbox'))[0].status).toBe('processed')
  expect(await withSubject(own, 'signed by inbox')).toMatchObject([{ conversationId }])
})

test('a mail whose connection ends before its last byte is not stored, and one that ends after it is [own.mail.doors]', async () => {
  const before = await begin([addressOf(inbox)])
  await before.say('DATA')
  before.write(mailOf('cut before the end'))
  before.destroy()
  const after = await begin([addressOf(inbox)])
  await after.say('DATA')
  after.write(`${mailOf('cut after the end')}.\r\n`)
  expect(await withSubject(inbox, 'cut after the end')).toHaveLength(1)
  after.destroy()
  expect(await deliver([addressOf(inbox)], mailOf('cut after the end'))).toMatch(/^250 /)
  expect(await withSubject(inbox, 'cut after the end')).toHaveLength(1)
  const subjects = (await mailsOf(inbox)).map(({ subject }: { subject: string }) => subject)
  expect(subjects).not.toContain('cut before the end')
})

test('commands in one packet and long lines of a mail arrive as they were sent', async () => {
  const client = await openSmtp(url())
  const long = 'x'.repeat(100_000)
  client.write(`EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<${addressOf(inbox)}>\r\nDATA\r\n`)
  const said = await Promise.all([1, 2, 3, 4].map(() => client.response()))
  expect(said.map((line) => line.slice(0, 3))).toEqual(['250', '250', '250', '354'])
  client.write(`${mailOf('pipelined', long)}.\r\nQUIT\r\n`)
  expect(await client.response()).toMatch(/^250 /)
  await client.closed
  const [mail] = await withSubject(inbox, 'pipelined')
  expect(mail).toMatchObject({ envelope: { from: '' } })
  expect(mail.sizeBytes).toBeGreaterThan(long.length)
})

test('a mail that is too long is refused for good', async () => {
  const line = `${'x'.repeat(998)}\r\n`
  expect(await deliver([addressOf(inbox)], mailOf('huge', line.repeat(31_500)))).toMatch(/^552 /)
})

test('a sender who guesses recipients is refused without a look-up', async () => {
  const client = await begin([])
  const guess = (count: number) => client.say(`RCPT TO:<guess${count}@${domain}>`)
  for (let count = 0; count < 10; count++) expect(await guess(count)).toMatch(/^550 /)
  expect(await guess(10)).toMatch(/^421 /)
  client.destroy()
})

/** The budgets of the service, but for what is given. */
function budgetsOf(change: Partial<MailBudgetParts>): MailBudgets {
  const { storage } = service.service
  return new MailBudgets({
    storage,
    quotas: new TenantQuotas(storage, noMeters),
    limiter: createInProcessRateLimiter(systemClock),
    disk: noDisk,
    meters: noMeters,
    clock: systemClock,
    mailsPerSender: 0,
    ...change,
  })
}

/** A door of its own on the storage of the service, with limits or failures of its own. */
async function withDoor<T>(
  change: Partial<Parameters<typeof createSmtpDoor>[0]>,
  use: (doorUrl: string) => Promise<T>,
): Promise<T> {
  const { storage, attachments, ids } = service.service
  const door = createSmtpDoor({
    storage,
    attachments,
    ids,
    clock: systemClock,
    log: silentLog,
    secrets: createSecretBox(['a key of this door alone']),
    limiter: createInProcessRateLimiter(systemClock),
    budgets: budgetsOf({}),
    meters: noMeters,
    domain,
    tls: certificate,
    ...change,
  })
  door.listen(0, '127.0.0.1')
  await new Promise<void>((resolve) => door.server.once('listening', resolve))
  const address = door.server.address()
  try {
    return await use(`smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  } finally {
    await door.stop()
  }
}

test('a signed address leads to its tenant without a look at any other one', () => {
  const { storage } = service.service
  const tenantIds = new Set<string>()
  const forTenant: typeof storage.forTenant = (tenantId) => {
    tenantIds.add(tenantId)
    return storage.forTenant(tenantId)
  }
  const tag = `${'0'.repeat(26)}.${'a'.repeat(16)}`
  const { _id: tenantId } = inbox.owner.tenant
  return withDoor({ storage: { system: storage.system, forTenant } }, async (doorUrl) => {
    const client = await openSmtp(doorUrl)
    await client.say('EHLO a')
    await client.say('MAIL FROM:<ada@example.com>')
    for (const [local, looked] of [
      [`reply+${sharedTag(tag, tenantId)}`, [tenantId]],
      [`reply+${tag}.${'0'.repeat(14)}`, []],
      [`reply+${tag}`, []],
    ] as const) {
      tenantIds.clear()
      expect(await client.say(`RCPT TO:<${local}@${domain}>`)).toMatch(/^550 /)
      expect([...tenantIds]).toEqual(looked)
    }
    client.end()
  })
})

test('while the storage is away the response is 451, and nothing is stored [own.mail.doors]', () => {
  const { attachments } = service.service
  const write = () => Promise.reject(new StorageUnavailable())
  const { fileOf, remove } = attachments
  return withDoor({ attachments: { fileOf, remove, write } }, async (doorUrl) => {
    const client = await openSmtp(doorUrl)
    await client.say('EHLO a')
    await client.say('MAIL FROM:<ada@example.com>')
    expect(await client.say(`RCPT TO:<${addressOf(inbox)}>`)).toMatch(/^250 /)
    await client.say('DATA')
    expect(await client.say(`${mailOf('not stored')}.`)).toMatch(/^451 /)
    // The response follows the last byte of a large one too, and the connection stays of use.
    await client.say('MAIL FROM:<ada@example.com>')
    expect(await client.say(`RCPT TO:<${addressOf(inbox)}>`)).toMatch(/^250 /)
    await client.say('DATA')
    const large = `${mailOf('not stored')}${'It is dark.\r\n'.repeat(200_000)}`
    expect(await client.say(`${large}.`)).toMatch(/^451 /)
    expect(await client.say('NOOP')).toMatch(/^250 /)
    client.end()
    const subjects = (await mailsOf(inbox)).map(({ subject }: { subject: string }) => subject)
    expect(subjects).not.toContain('not stored')
  })
})

test('a sender who falls silent or drips bytes loses the connection', () =>
  withDoor({ limits: { silenceMs: 500, mailMs: 2_000 } }, async (doorUrl) => {
    const silent = await openSmtp(doorUrl)
    await silent.closed
    const slow = await openSmtp(doorUrl)
    await slow.say('EHLO a')
    await slow.say('MAIL FROM:<>')
    await slow.say(`RCPT TO:<${addressOf(inbox)}>`)
    await slow.say('DATA')
    const drip = setInterval(() => slow.write('x'), 50)
    await slow.closed
    clearInterval(drip)
  }))

test('an address holds its share of the connections at most, and other addresses are let in', () =>
  withDoor({ limits: { connectionsPerAddress: 2 } }, async (doorUrl) => {
    const [first] = await Promise.all([openSmtp(doorUrl), openSmtp(doorUrl)])
    expect((await openSmtp(doorUrl)).greeting).toBe('421 4.7.0 Too many connections')
    expect((await openSmtp(doorUrl, { from: '127.0.0.2' })).greeting).toMatch(/^220 /)
    first.end()
    await first.closed
    await expect.poll(async () => (await openSmtp(doorUrl)).greeting).toMatch(/^220 /)
  }))

test('while all connections are taken, the one that was unused for longest makes way, and none that brings a mail', () =>
  withDoor({ limits: { connections: 3 } }, async (doorUrl) => {
    const [receiving, unused, used] = [
      await openSmtp(doorUrl),
      await openSmtp(doorUrl),
      await openSmtp(doorUrl),
    ]
    await receiving.say('EHLO a')
    await receiving.say('MAIL FROM:<ada@example.com>')
    await receiving.say(`RCPT TO:<${addressOf(inbox)}>`)
    await receiving.say('DATA')
    await used.say('EHLO a')
    await used.say('MAIL FROM:<ada@example.com>')
    expect((await openSmtp(doorUrl, { from: '127.0.0.2' })).greeting).toMatch(/^220 /)
    expect(await unused.response()).toBe('421 4.7.0 Other senders wait for a connection')
    await unused.closed
    expect(await used.say('NOOP')).toMatch(/^250 /)
    expect(await receiving.say(`${mailOf('while the door is full')}.`)).toMatch(/^250 /)
  }))

test('a connection that says something and brings no mail ends', () =>
  withDoor({ limits: { withoutMailMs: 1_000 } }, async (doorUrl) => {
    const talker = await openSmtp(doorUrl)
    const talk = setInterval(() => talker.write('NOOP\r\n'), 50)
    await talker.closed
    clearInterval(talk)
  }))

test('the record that brings mail to the door is shown, with what is published', async () => {
  const recordOf = async () => {
    const { body } = await inbox.ask('GET', `/api/v1/inboxes/${inbox.inboxId}/dns`)
    return body.data.records.find(({ purpose }: { purpose: string }) => purpose === 'mx')
  }
  expect(await recordOf()).toMatchObject({ type: 'MX', name: domain, published: [], ok: false })
  dns.mxRecords.set(domain, ['0 .'])
  expect(await recordOf()).toMatchObject({ published: ['0 .'], ok: false })
  dns.mxRecords.set(domain, ['20 mx.example.com', '10 mx2.example.com'])
  expect(await recordOf()).toMatchObject({ published: ['20 mx.example.com', '10 mx2.example.com'], ok: true })
})

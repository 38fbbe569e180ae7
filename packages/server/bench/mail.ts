// E-mail: the time from the arrival of a mail to its event over HTTP and IMAP, the longest delay of the event loop while mails
// of 25 MB arrive at each door, signed mails that leave each second, queued mails after their server is back, and what the
// parser reads. `--only stall,parser` measures parts alone.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { createMailParser } from '../src/mail/parser-process/mail-parser.ts'
import { charsetMails } from '../test/mail/corpus/charset-mails.ts'
import { corpus } from '../test/mail/corpus/corpus.ts'
import { knownThread, ownWords } from '../test/mail/corpus/known-thread.ts'
import { call, registerTenant } from '../test/support/call.ts'
import { type Dovecot, dovecotPassword, startDovecot } from '../test/support/dovecot.ts'
import { findLastingPort } from '../test/support/free-port.ts'
import { makeCertificate } from '../test/support/https-receiver.ts'
import { liftLimit } from '../test/support/programs.ts'
import { openSmtp } from '../test/support/smtp-client.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../test/support/smtp-receiver.ts'
import { startChild } from './support/child.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({
  options: {
    mails: { type: 'string', default: '200' },
    replies: { type: 'string', default: '1000' },
    queued: { type: 'string', default: '10000' },
    large: { type: 'string', default: '5' },
    only: { type: 'string', default: 'arrivals,stall,sending,parser' },
  },
})
const parts = new Set(options.only.split(','))
const [mails, replies, queued, large] = [options.mails, options.replies, options.queued, options.large].map(
  Number,
) as [number, number, number, number]
const serverProgram = 'packages/server/src/main/crm-server.ts'

const certificate = await makeCertificate()
const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-bench-mail-'))
await copyFile(certificate.caFile, path.join(dataDir, 'webhook-ca.pem'))
const mailDomain = 'in.example.com'
const smtpPort = await findLastingPort()
const inData = (name: string) => path.join(dataDir, name)
await writeFile(inData('cert.pem'), certificate.cert)
await writeFile(inData('key.pem'), certificate.key)
const env = {
  CRM_DATA_DIR: dataDir,
  PORT: '0',
  CRM_LOG_LEVEL: 'error',
  CRM_RATE_LIMITS: 'off',
  CRM_LIMIT_MAILS_PER_SENDER: '0',
  CRM_MAIL_DOMAIN: mailDomain,
  CRM_SMTP_PORT: String(smtpPort),
  CRM_SMTP_TLS_CERT: inData('cert.pem'),
  CRM_SMTP_TLS_KEY: inData('key.pem'),
}
const probe = fileURLToPath(new URL('./support/loop-probe.ts', import.meta.url))
const server = await startChild(serverProgram, ['start', '--dev'], env, ['--import', probe])
const { url } = server
const owner = await registerTenant(url)
await liftLimit({ tenantId: owner.tenant._id, name: 'smtpRecipientsPerMinute' }, env)

async function ask(method: string, at: string, body?: unknown) {
  const response = await call(url, {
    method,
    path: at,
    token: owner.token,
    ...(body !== undefined && { body }),
  })
  if (response.status >= 300) throw new Error(`${method} ${at}: ${JSON.stringify(response.body)}`)
  return response.body.data
}

const inboxId: string = (await ask('GET', '/api/v1/inboxes'))[0]._id
const inboxPath = `/api/v1/inboxes/${inboxId}`

/** The moments at which the content of a message was seen first. */
const seenAt = new Map<string, number>()
async function followEvents(): Promise<void> {
  const headers = { authorization: `Bearer ${owner.token}` }
  const { body } = await fetch(`${url}/api/v1/events/stream`, { headers })
  const decoder = new TextDecoder()
  void (async () => {
    let rest = ''
    for await (const chunk of body ?? []) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const content = /"content":"([0-9a-f-]{36})/.exec(line)?.[1]
        if (content !== undefined && !seenAt.has(content)) seenAt.set(content, performance.now())
      }
    }
  })().catch(() => undefined)
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10
}

function mailOf(content: string, more = ''): string {
  return `From: Ada <ada@example.com>\r\nTo: support@example.com\r\nSubject: Lamp\r\nMessage-ID: <${content}@example.com>\r\nDate: ${new Date().toUTCString()}\r\n\r\n${content}${more}`
}

/** A mail with a file of 18 MB, which is 25 MB as it arrives. */
function largeMailOf(content: string): string {
  const file = Buffer.alloc(18 * 1024 * 1024)
    .toString('base64')
    .replaceAll(/.{76}/g, '$&\r\n')
  const part = [
    '--b',
    'Content-Type: application/pdf; name=a.pdf',
    'Content-Transfer-Encoding: base64',
    '',
    file,
  ]
  return mailOf('', ['--b', '', content, ...part, '--b--'].join('\r\n'))
    .replace(
      'Subject: Lamp',
      'Subject: Lamp\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b',
    )
    .replace('Message-ID: <@', `Message-ID: <${content}@`)
}

/** Sends one mail after the other, and returns the time from the end of each sending to its event. */
async function measureArrivals(send: (raw: string) => Promise<unknown>) {
  const times: number[] = []
  for (let count = 0; count < mails; count++) {
    const content = randomUUID()
    const sentAt = performance.now()
    await send(mailOf(content))
    while (!seenAt.has(content)) await wait(1)
    times.push((seenAt.get(content) ?? 0) - sentAt)
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

async function postMail(token: string, raw: string | Uint8Array<ArrayBuffer>): Promise<void> {
  const headers = { 'content-type': 'message/rfc822' }
  const { status } = await fetch(`${url}/api/v1/inbound/email/${token}`, {
    method: 'POST',
    headers,
    body: raw,
  })
  if (status !== 200) throw new Error(`The door responded with ${status}`)
}

async function postOverSmtp(token: string, raw: string | Uint8Array): Promise<void> {
  const client = await openSmtp(`smtp://127.0.0.1:${smtpPort}`)
  const lines = [
    'EHLO mx.example.com',
    'MAIL FROM:<ada@example.com>',
    `RCPT TO:<${token}@${mailDomain}>`,
    'DATA',
  ]
  for (const line of lines) await client.say(line)
  client.write(raw)
  client.write('\r\n.\r\n')
  const said = await client.response()
  client.destroy()
  if (!said.startsWith('250')) throw new Error(`The SMTP door responded with ${said}`)
}

/** Lets the inbox read a mailbox of a real server; undefined where CRM_TEST_DOVECOT_BINARY is not set. */
async function withMailbox<T>(work: (dovecot: Dovecot) => Promise<T>): Promise<T | undefined> {
  if (!process.env['CRM_TEST_DOVECOT_BINARY']) return undefined
  const dovecot = await startDovecot(certificate)
  try {
    const imap = { host: 'localhost', port: dovecot.port, security: 'tls', user: 'support' }
    await setEmail({ imap })
    await ask('PUT', `${inboxPath}/email-credentials`, { imapPassword: dovecotPassword })
    while ((await ask('GET', inboxPath)).email.imap.status.ok !== true) await wait(100)
    return await work(dovecot)
  } finally {
    await setEmail({})
    await dovecot.stop()
  }
}

async function setEmail(email: object): Promise<void> {
  await ask('PUT', inboxPath, { email: { address: 'support@example.com', ...email } })
}

type Turn = { ms: number; cpuMs: number }

/** Returns the longest turns of the server's event loop since the last call. */
async function takeTurns() {
  server.process.send?.('take')
  const [turns] = (await once(server.process, 'message')) as [Turn[]]
  return {
    'turn max': percentile(
      turns.map(({ ms }) => ms),
      1,
    ),
    'cpu p99.9': percentile(
      turns.map(({ cpuMs }) => cpuMs),
      0.999,
    ),
    'cpu max': percentile(
      turns.map(({ cpuMs }) => cpuMs),
      1,
    ),
  }
}

/**
 * Measures the delays of the event loop while large mails are read, one after the other: by the health check, which waits
 * for the loop alone, and within the server.
 */
async function measureStall(send: ((raw: Buffer<ArrayBuffer>) => Promise<unknown>) | undefined) {
  const all = Array.from({ length: send ? large : 0 }, () => {
    const content = randomUUID()
    return { content, raw: Buffer.from(largeMailOf(content)) }
  })
  const pinger = new Worker(new URL('./support/pinger.ts', import.meta.url), { workerData: { url } })
  const takeTimes = async () => {
    pinger.postMessage('take')
    const [times] = (await once(pinger, 'message')) as [number[]]
    return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), max: percentile(times, 1) }
  }
  // The first ones begin the connection.
  await takeTimes()
  await wait(1_000)
  await takeTimes()
  await takeTurns()
  for (const { content, raw } of all) {
    await send?.(raw)
    while (!seenAt.has(content)) await wait(5)
  }
  if (!send) await wait(5_000)
  const figures = { ...(await takeTimes()), ...(await takeTurns()) }
  await pinger.terminate()
  return figures
}

async function queueReplies(count: number, conversationId: string): Promise<void> {
  let next = 0
  const client = async () => {
    while (next++ < count) {
      await ask('POST', `/api/v1/conversations/${conversationId}/messages`, { content: 'It is repaired.' })
    }
  }
  await Promise.all(Array.from({ length: 16 }, client))
}

async function untilReceived({ mails: received }: SmtpReceiver, count: number): Promise<void> {
  while (received.length < count) await wait(10)
}

/** A conversation whose replies leave through the server at the port, signed by DKIM. */
async function openSending(port: number): Promise<string> {
  const smtp = { host: 'localhost', port, security: 'tls', user: 'support' }
  await setEmail({ transport: 'smtp', smtp })
  await ask('PUT', `${inboxPath}/email-credentials`, { smtpPassword: 'hunter2' })
  await ask('POST', `${inboxPath}/dkim-key`, {})
  const customer = await ask('POST', '/api/v1/customers', { firstName: 'Bob', email: 'bob@example.com' })
  const conversation = { subject: 'Lamp', inboxId, customerId: customer._id }
  return (await ask('POST', '/api/v1/conversations', conversation))._id
}

async function measureSending() {
  const smtp = { certificate, security: 'tls', password: 'hunter2' } as const
  const first = await startSmtpReceiver(smtp)
  const { port } = first
  const conversationId = await openSending(port)
  const beganAt = performance.now()
  await queueReplies(replies, conversationId)
  await untilReceived(first, replies)
  const perSecond = Math.round((replies * 1000) / (performance.now() - beganAt))
  const isSigned = first.mails.every(({ raw }) => /^DKIM-Signature:/im.test(raw))
  if (!isSigned) throw new Error('A mail was not signed')
  await first.stop()
  await queueReplies(queued, conversationId)
  const second = await startSmtpReceiver({ ...smtp, port })
  const backAt = performance.now()
  await untilReceived(second, queued)
  const seconds = Math.round((performance.now() - backAt) / 100) / 10
  await second.stop()
  return { perSecond, seconds }
}

/** Counts the mails that the parser reads right out of the corpus of the tests. */
async function measureParser() {
  const parser = createMailParser()
  const read = (raw: Buffer) =>
    parser.parse(inOnePiece(raw), async ({ facts: { content }, quotations }) => ({
      content,
      quoted: await quotations(knownThread),
    }))
  let charsets = 0
  for (const { raw, expected } of charsetMails) {
    const { content } = await read(raw)
    const { content: right } = expected
    if (right instanceof RegExp ? right.test(content) : content === right) charsets += 1
  }
  const quoting = corpus.filter(({ expected }) => expected.isFolded === true || expected.own !== undefined)
  let folded = 0
  let hidden = 0
  for (const { raw, expected } of quoting) {
    const { content, quoted } = await read(raw)
    if (quoted.length > 0) folded += 1
    if (expected.own !== undefined && !ownWords(content, quoted).includes(expected.own)) hidden += 1
  }
  await parser.close()
  return { charsets, folded, hidden, quoting: quoting.length }
}

async function* inOnePiece(raw: Buffer): AsyncGenerator<Uint8Array> {
  yield raw
}

const figures: Parameters<typeof printFigures>[1] = {}
try {
  await setEmail({})
  const { inboundToken } = await ask('POST', `${inboxPath}/inbound-token`, {})
  await followEvents()
  if (parts.has('arrivals')) {
    figures['arrival to event over HTTP, ms'] = await measureArrivals((raw) => postMail(inboundToken, raw))
    const imap = await withMailbox(({ append }) => measureArrivals((raw) => append('support', raw)))
    if (imap) figures['arrival to event over IMAP IDLE, ms'] = imap
  }
  if (parts.has('stall')) {
    const title = (door: string) => `health check and turns of the loop, ms: ${door}`
    figures[title('at rest')] = await measureStall(undefined)
    figures[title('25 MB over HTTP')] = await measureStall((raw) => postMail(inboundToken, raw))
    figures[title('25 MB over SMTP')] = await measureStall((raw) => postOverSmtp(inboundToken, raw))
    const imap = await withMailbox(({ append }) => measureStall((raw) => append('support', raw)))
    if (imap) figures[title('25 MB over IMAP')] = imap
  }
  if (parts.has('sending')) {
    const sending = await measureSending()
    figures['signed mails sent each second'] = { each: sending.perSecond }
    figures[`${queued} queued mails sent after the server is back, s`] = { all: sending.seconds }
  }
  if (parts.has('parser')) {
    const { charsets, folded, hidden, quoting } = await measureParser()
    figures['charset cases read right'] = { right: charsets, of: charsetMails.length }
    figures['replies: quote folded, own words hidden'] = { folded, hidden, of: quoting }
  }
  printFigures('mail', figures, { mails, replies, queued, large })
} finally {
  await server.stop()
  certificate.remove()
  await rm(dataDir, { recursive: true, force: true })
}

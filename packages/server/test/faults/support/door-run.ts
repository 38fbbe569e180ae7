import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { call } from '../../support/call.ts'
import { type Dovecot, dovecotPassword, startDovecot } from '../../support/dovecot.ts'
import { findLastingPort } from '../../support/free-port.ts'
import { makeCertificate, type TestCertificate } from '../../support/https-receiver.ts'
import { openSmtp } from '../../support/smtp-client.ts'
import { type Fleet, type ServerFiles, startFleet } from './fleet.ts'
import { MailClient, retryEveryMs } from './mail-client.ts'
import { CrashPlan, findOwnDeaths, type MailPoint, ParserKills, ShiftedClock } from './mail-kills.ts'
import { beyondLeasesMs } from './mail-run.ts'
import { createRandom } from './random.ts'
import type { FaultWorld } from './worlds.ts'

export const doors = ['http', 'smtp', 'imap'] as const
export type Door = (typeof doors)[number]

/** Every step from the first byte of a mail to its message. */
const points = [
  'mail-bytes-before-row',
  'during-group-commit',
  'before-durable',
  'after-durable',
  'after-commit-before-wake',
  'mail-stored-before-answer',
  'mail-read-before-commit',
] as const satisfies MailPoint[]

const clients = 4
const domain = 'in.example.com'
const user = 'support'
/** Mails that wait in the mailbox at a time: a life of the server then begins with many of them. */
const mailboxBatch = 100
/** In the middle of a run, and with mails that arrive meanwhile. */
const silenceMs = 3 * 24 * 3_600_000
/** The longest time without a further mail. */
const stallsAfterMs = 240_000
const pageSize = 100

interface DoorSetting {
  door: Door
  mails: number
  /** The server is killed after so many mails at most, which it has stored or made a message of. */
  mailsPerKill: number
  seed: number
  world: FaultWorld
  files?: ServerFiles
  isInterrupted?: () => boolean
}

export interface DoorReport {
  door: Door
  mails: number
  kills: number
  points: Partial<Record<MailPoint, number>>
  parserKills: number
  parked: number
  seconds: number
  failures: string[]
}

/** The part of a run that differs between the doors. */
interface OpenDoor {
  /** Hands a mail over, and resolves when the service, or the mailbox, is responsible for it. */
  send(raws: readonly string[]): Promise<void>
  /** Mails of one call. */
  batch: number
}

/**
 * Sends mails through one door while the server is killed at every step and its parser at intervals, and lets it be silent
 * for three days in the middle. Then proves that each mail is stored once, and is one message of one conversation.
 */
export async function runDoor(setting: DoorSetting): Promise<DoorReport> {
  const { door, seed, world, files, mailsPerKill } = setting
  const startedMs = performance.now()
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-door-'))
  const clock = new ShiftedClock(directory)
  const certificate = await makeCertificate()
  const dovecot = door === 'imap' ? await startDovecot(certificate) : undefined
  const smtpPort = await findLastingPort()
  const random = createRandom(seed)
  const crashes = new CrashPlan(random.fork('crashes'), { points, passages: mailsPerKill })
  const variables = {
    ...world.variables,
    CRM_RATE_LIMITS: 'off',
    CRM_LIMIT_MAILS_PER_SENDER: '0',
    CRM_LOG_LEVEL: 'silent',
    ...(door === 'smtp' && smtpVariables(smtpPort, certificate)),
    ...(door === 'imap' && { CRM_MAIL_ALLOW_CIDRS: '127.0.0.0/8', CRM_MAIL_CA_FILE: certificate.caFile }),
  }
  const planFor = () => {
    clock.add(beyondLeasesMs)
    return { clockFile: clock.file, ...crashes.next() }
  }
  const fleet = await startFleet([{ name: 'server', variables, planFor, ...(files && { files }) }])
  let report: DoorReport | undefined
  try {
    const client = new MailClient(fleet)
    const open = await openDoor(client, { door, dovecot, smtpPort })
    crashes.isOn = true
    await fleet.members[0]?.kill('SIGTERM')
    const ownDeaths = findOwnDeaths(fleet, () => crashes.isOn)
    const parsers = new ParserKills(fleet, random.fork('parsers'))
    const run = new DoorRun(client, setting)
    await run.send(open, () => clock.add(silenceMs))
    const settled = await run.settle()
    parsers.stop()
    crashes.isOn = false
    await fleet.members[0]?.kill()
    report = {
      door,
      mails: run.sent,
      kills: crashes.kills,
      points: crashes.reached,
      parserKills: parsers.count,
      parked: client.parked,
      seconds: 0,
      failures: [...(await ownDeaths), ...settled, ...(await run.verify())],
    }
  } finally {
    await fleet.stop()
    report?.failures.push(...(await world.integrityProblems()))
    await dovecot?.stop()
    certificate.remove()
    await world.remove()
    rmSync(directory, { recursive: true, force: true })
  }
  return { ...report, seconds: Math.round((performance.now() - startedMs) / 1_000) }
}

function smtpVariables(port: number, certificate: TestCertificate): Record<string, string> {
  const directory = path.dirname(certificate.caFile)
  const [certFile, keyFile] = [path.join(directory, 'cert.pem'), path.join(directory, 'key.pem')]
  writeFileSync(certFile, certificate.cert)
  writeFileSync(keyFile, certificate.key)
  return {
    CRM_MAIL_DOMAIN: domain,
    CRM_SMTP_PORT: String(port),
    CRM_SMTP_TLS_CERT: certFile,
    CRM_SMTP_TLS_KEY: keyFile,
  }
}

interface DoorParts {
  door: Door
  dovecot: Dovecot | undefined
  smtpPort: number
}

async function openDoor(client: MailClient, { door, dovecot, smtpPort }: DoorParts): Promise<OpenDoor> {
  const imap = { host: 'localhost', port: dovecot?.port, security: 'tls', user }
  const { inboxId, inboundToken } = await client.open({
    address: 'help@acme.test',
    ...(door === 'imap' && { imap }),
  })
  if (door === 'imap') {
    const inbox = `/api/v1/inboxes/${inboxId}`
    await client.ask('PUT', `${inbox}/email-credentials`, { imapPassword: dovecotPassword })
    // The reading begins with the next mail, so the first one arrives after it.
    while (!(await client.ask('GET', inbox)).email.imap.status.ok) await delay(retryEveryMs)
    return { batch: mailboxBatch, send: async (raws) => dovecot?.appendAll(user, raws) }
  }
  const headers = { 'content-type': 'message/rfc822' }
  const at = `/api/v1/inbound/email/${inboundToken}`
  return {
    batch: 1,
    send: async ([raw = '']) => {
      if (door === 'http')
        await client.until((url) => call(url, { method: 'POST', path: at, rawBody: raw, headers }))
      else await deliver(client.fleet, { port: smtpPort, recipient: `${inboundToken}@${domain}`, raw })
    },
  }
}

interface Delivery {
  port: number
  recipient: string
  raw: string
}

/** Repeats the mail until the response to its last byte is 250, as every mail server does. */
async function deliver(fleet: Fleet, { port, recipient, raw }: Delivery): Promise<void> {
  for (;;) {
    await fleet.whenUp()
    const client = await openSmtp(`smtp://127.0.0.1:${port}`).catch(() => undefined)
    if (client !== undefined) {
      const cut = client.closed.then(() => '')
      const say = (line: string) => Promise.race([client.say(line), cut])
      await say('EHLO mx.example.com')
      await say('MAIL FROM:<ada@example.com>')
      await say(`RCPT TO:<${recipient}>`)
      const begun = await say('DATA')
      const said = begun.startsWith('354 ') ? await say(`${raw}\r\n.`) : begun
      client.destroy()
      if (said.startsWith('250 ')) return
      if (said.startsWith('5')) throw new Error(`The port has refused a mail for good: ${said}`)
    }
    await delay(retryEveryMs)
  }
}

interface StoredMail {
  _id: string
  rfcMessageId: string
  status: string
  reason: string | null
  conversationId: string
  messageId: string
}

class DoorRun {
  readonly #client: MailClient
  readonly #setting: DoorSetting
  sent = 0
  constructor(client: MailClient, setting: DoorSetting) {
    this.#client = client
    this.#setting = setting
  }

  /** Sends the mails by several clients; time passes in the middle. */
  async send({ send, batch }: OpenDoor, beSilent: () => void): Promise<void> {
    const { mails, isInterrupted = () => false } = this.#setting
    let next = 0
    let isSilent = false
    const client = async () => {
      while (next < mails && !isInterrupted()) {
        const count = Math.min(batch, mails - next)
        const raws = Array.from({ length: count }, (_, index) => mailOf(next + index))
        next += count
        if (next > mails / 2 && !isSilent) {
          isSilent = true
          beSilent()
        }
        await send(raws)
        this.sent += count
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
  }

  async #count(query: string): Promise<number> {
    return (await this.#client.list(`/api/v1/inbound-mails?limit=1${query}`)).pagination.total
  }

  /** Waits, with further kills, until every mail is stored and none waits. */
  async settle(): Promise<string[]> {
    let leastWaiting = Number.POSITIVE_INFINITY
    let endsAt = 0
    do {
      for (const mail of await this.#client.ask('GET', '/api/v1/inbound-mails?status=parked&limit=100'))
        await this.#client.processAgain(mail._id)
      const processed = await this.#count('&status=processed')
      const stored = await this.#count('')
      if (processed === Math.max(this.sent, stored)) return []
      // A mail is stored and processed at different times: each of them is progress.
      const waiting = 2 * this.sent - stored - processed
      if (waiting < leastWaiting) endsAt = performance.now() + stallsAfterMs
      leastWaiting = Math.min(waiting, leastWaiting)
      await delay(500)
    } while (performance.now() < endsAt)
    return [`${await this.#count('')} of ${this.sent} mails are stored, and some still wait`]
  }

  async verify(): Promise<string[]> {
    const problems: string[] = []
    const seen = new Map<string, number>()
    const messages = new Set<string>()
    const conversations = new Set<string>()
    for (const mail of await this.#allMails()) {
      seen.set(mail.rfcMessageId, (seen.get(mail.rfcMessageId) ?? 0) + 1)
      messages.add(mail.messageId)
      conversations.add(mail.conversationId)
      if (mail.status !== 'processed') problems.push(`${mail._id} is ${mail.status}: ${mail.reason}`)
    }
    for (let index = 0; index < this.sent; index++) {
      const count = seen.get(idOf(index)) ?? 0
      if (count === 0) problems.push(`the mail ${index} is lost`)
      if (count > 1) problems.push(`the mail ${index} is stored ${count} times`)
    }
    const received = await this.#receivedMessages()
    const { total } = (await this.#client.list('/api/v1/conversations?limit=1')).pagination
    const counts = {
      messages: messages.size,
      conversations: conversations.size,
      received: received.length,
      total,
    }
    for (const [name, count] of Object.entries(counts))
      if (count !== this.sent) problems.push(`${this.sent} mails made ${count} (${name})`)
    for (const id of received) if (!messages.has(id)) problems.push(`the message ${id} is of no mail`)
    return problems
  }

  async #allMails(): Promise<StoredMail[]> {
    const mails: StoredMail[] = []
    for (let page = 1; ; page++) {
      const rows = await this.#client.ask('GET', `/api/v1/inbound-mails?limit=${pageSize}&page=${page}`)
      mails.push(...rows)
      if (rows.length < pageSize) return mails
    }
  }

  /** The messages that events report. */
  async #receivedMessages(): Promise<string[]> {
    const ids: string[] = []
    for (let after = ''; ; ) {
      const at = `/api/v1/events?types=message.received&limit=${pageSize}${after && `&after=${after}`}`
      const { data, pagination } = await this.#client.list(at)
      ids.push(...data.map((event: { data: { _id: string } }) => event.data._id))
      if (data.length < pageSize) return ids
      after = encodeURIComponent(pagination.nextCursor)
    }
  }
}

const idOf = (index: number) => `mail-${index}@example.com`

function mailOf(index: number): string {
  const lines = [
    `From: Customer ${index} <customer-${index}@example.com>`,
    'To: help@acme.test',
    `Subject: Question ${index}`,
    `Message-ID: <${idOf(index)}>`,
    'Date: Sun, 22 Nov 2026 10:00:00 +0000',
    '',
    `Question ${index} ${'word '.repeat(index % 400)}`,
  ]
  return lines.join('\r\n')
}

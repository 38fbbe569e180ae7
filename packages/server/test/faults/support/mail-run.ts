import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { call } from '../../support/call.ts'
import { makeCertificate } from '../../support/https-receiver.ts'
import { liftLimit } from '../../support/programs.ts'
import { type Behaviour, type SmtpReceiver, startSmtpReceiver } from '../../support/smtp-receiver.ts'
import { type ServerFiles, startFleet } from './fleet.ts'
import { MailClient } from './mail-client.ts'
import {
  allMailPoints,
  CrashPlan,
  findOwnDeaths,
  type MailPoint,
  ParserKills,
  ShiftedClock,
} from './mail-kills.ts'
import { createRandom, type Random } from './random.ts'
import { type FaultWorld, sqliteWorld } from './worlds.ts'

const misbehaviours: readonly Behaviour[] = [
  {},
  {},
  { recipient: () => 450 },
  { data: 451 },
  { data: 554 },
  { cut: 'before-data' },
  { cut: 'after-data' },
  { cut: 'after-data-kept' },
]
const behaviourMs = 150
/** A server that is away is tried at intervals, and so the time passes faster while mails are exchanged. */
const passEveryMs = 1_000
const passedMs = 8_000
const clients = 4
/** The leases of a killed process on the mails and on its attempts have ended by then. */
export const beyondLeasesMs = 130_000
const laterMs = 10 * 60_000
const endsWithinMs = 240_000

export interface MailReport {
  mails: number
  replies: number
  kills: number
  /** The planned points that a server has died at. */
  points: Partial<Record<MailPoint, number>>
  parserKills: number
  /** How often a mail was parked, because its parser was killed five times. */
  parked: number
  /** Copies of replies beyond the first; each must be marked. */
  doubles: number
  seconds: number
  failures: string[]
}

interface MailSetting {
  mails: number
  seed: number
  /** Default: one. */
  repliesPerMail?: number
  /** Where the server is killed; by default at every point of a mail's life. */
  points?: readonly MailPoint[]
  /** Goes on, beyond `mails`, until the server has died at each point so many times. */
  each?: number
  /** Ends the exchange early; what was exchanged is verified. */
  isInterrupted?: () => boolean
  /** The storage; by default a database of SQLite. */
  world?: FaultWorld
  files?: ServerFiles
}

/**
 * Posts mails to the HTTP door and replies to each through an SMTP server that misbehaves, while the server is killed at
 * every step in turn and its parser at intervals. Then proves that nothing is lost and that each double is marked.
 */
export async function runMailFaults({
  mails,
  seed,
  repliesPerMail = 1,
  points = allMailPoints,
  each,
  isInterrupted = () => false,
  world = sqliteWorld(),
  files,
}: MailSetting): Promise<MailReport> {
  const startedMs = performance.now()
  const random = createRandom(seed)
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-mail-'))
  const clock = new ShiftedClock(directory)
  const certificate = await makeCertificate()
  const receiver = await startSmtpReceiver({ certificate, security: 'none' })
  const crashes = new CrashPlan(random.fork('crashes'), { points, ...(each !== undefined && { each }) })
  const variables = {
    ...world.variables,
    CRM_RATE_LIMITS: 'off',
    CRM_LIMIT_MAILS_PER_SENDER: '0',
    CRM_LOG_LEVEL: 'silent',
    CRM_SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    CRM_MAIL_FROM: 'relay@crm.test',
    CRM_MAIL_ALLOW_CIDRS: '127.0.0.0/8',
  }
  const planFor = () => {
    clock.add(beyondLeasesMs)
    return { clockFile: clock.file, ...crashes.next() }
  }
  const fleet = await startFleet([{ name: 'server', variables, planFor, ...(files && { files }) }])
  let report: MailReport | undefined
  try {
    const run = new MailRun(new MailClient(fleet), { random, repliesPerMail })
    // The receiver is the relay of this run, which replies more often than a day allows.
    await liftLimit({ tenantId: await run.open(), name: 'relayRecipientsPerDay' }, variables)
    crashes.isOn = true
    await fleet.members[0]?.kill('SIGTERM')
    const ownDeaths = findOwnDeaths(fleet, () => crashes.isOn)
    const misbehaving = setInterval(() => receiver.behave(random.pick(misbehaviours)), behaviourMs)
    const passing = setInterval(() => clock.add(passedMs), passEveryMs)
    const parsers = new ParserKills(fleet, random.fork('parsers'))
    const isEnough = each === undefined ? (count: number) => count >= mails : () => crashes.isComplete
    await run.exchange((count) => isInterrupted() || isEnough(count))
    for (const timer of [misbehaving, passing]) clearInterval(timer)
    parsers.stop()
    crashes.isOn = false
    receiver.behave({})
    await fleet.members[0]?.kill()
    const failures = [...(await ownDeaths), ...(await run.settle(() => clock.add(laterMs)))]
    const { doubles, problems } = await run.verify(receiver)
    failures.push(...problems)
    report = {
      ...run.counts,
      kills: crashes.kills,
      points: crashes.reached,
      parserKills: parsers.count,
      doubles,
      seconds: 0,
      failures,
    }
  } finally {
    await fleet.stop()
    report?.failures.push(...(await world.integrityProblems()))
    await receiver.stop()
    certificate.remove()
    await world.remove()
    rmSync(directory, { recursive: true, force: true })
  }
  return { ...report, seconds: Math.round((performance.now() - startedMs) / 1_000) }
}

interface Exchanged {
  mailId: string
  replyIds: string[]
}

class MailRun {
  readonly #client: MailClient
  readonly #random: Random
  readonly #repliesPerMail: number
  readonly #exchanged: Exchanged[] = []
  #door = ''
  constructor(client: MailClient, { random, repliesPerMail }: { random: Random; repliesPerMail: number }) {
    this.#client = client
    this.#random = random
    this.#repliesPerMail = repliesPerMail
  }

  async open(): Promise<string> {
    const settings = { address: 'help@acme.test', plusAddressing: true, transport: 'relay' }
    const { tenantId, inboundToken } = await this.#client.open(settings)
    this.#door = `/api/v1/inbound/email/${inboundToken}`
    return tenantId
  }

  get counts() {
    const replies = this.#exchanged.flatMap(({ replyIds }) => replyIds).length
    return { mails: this.#exchanged.length, replies, parked: this.#client.parked }
  }

  /** Posts mails, and replies to each, until it is enough. */
  async exchange(isEnough: (count: number) => boolean): Promise<void> {
    let next = 0
    const client = async () => {
      while (!isEnough(next)) this.#exchanged.push(await this.#exchangeOne(next++))
    }
    await Promise.all(Array.from({ length: clients }, client))
  }

  async #exchangeOne(index: number): Promise<Exchanged> {
    const raw = mailOf(index, this.#random.below(40_000))
    const headers = { 'content-type': 'message/rfc822' }
    const post = (url: string) => call(url, { method: 'POST', path: this.#door, rawBody: raw, headers })
    const { _id: mailId } = (await this.#client.until(post)).data
    const { conversationId } = await this.#client.processed(mailId)
    const at = `/api/v1/conversations/${conversationId}/messages`
    const replyIds: string[] = []
    while (replyIds.length < this.#repliesPerMail) {
      const reply = { content: `Reply ${index}.${replyIds.length}` }
      const { _id } = await this.#client.ask('POST', at, reply, { 'Idempotency-Key': randomUUID() })
      replyIds.push(_id)
    }
    return { mailId, replyIds }
  }

  /** Waits until every reply is sent, in a time that passes faster; returns those that are not. */
  async settle(passTime: () => void): Promise<string[]> {
    const endsAt = performance.now() + endsWithinMs
    let waiting = this.#exchanged.flatMap(({ replyIds }) => replyIds)
    while (waiting.length > 0 && performance.now() < endsAt) {
      const still: string[] = []
      for (const id of waiting) {
        const { status } = await this.#client.ask('GET', `/api/v1/messages/${id}`)
        if (status === 'failed') await this.#client.ask('POST', `/api/v1/messages/${id}/send-again`)
        if (status !== 'sent') still.push(id)
      }
      waiting = still
      if (waiting.length > 0) passTime()
      await delay(1_000)
    }
    return waiting.map((id) => `the reply ${id} was never sent`)
  }

  async verify({ mails }: SmtpReceiver): Promise<{ doubles: number; problems: string[] }> {
    const problems: string[] = []
    const copies = new Map<string, number>()
    for (const { raw } of mails) {
      const id = /^Message-ID: <(msg_[^.>]+)/im.exec(raw)?.[1] ?? 'unknown'
      copies.set(id, (copies.get(id) ?? 0) + 1)
    }
    let doubles = 0
    const conversations = new Set<string>()
    for (const { mailId, replyIds } of this.#exchanged) {
      const { messageId, conversationId } = await this.#client.ask('GET', `/api/v1/inbound-mails/${mailId}`)
      conversations.add(conversationId)
      const messages: StoredMessage[] = await this.#client.ask(
        'GET',
        `/api/v1/conversations/${conversationId}/messages?limit=100`,
      )
      const expected = [messageId, ...replyIds].sort()
      const stored = messages.map(({ _id }) => _id).sort()
      if (stored.join() !== expected.join())
        problems.push(`the conversation of ${mailId} has the messages ${stored} instead of ${expected}`)
      for (const { _id, email } of messages.filter((message) => replyIds.includes(message._id))) {
        const arrived = copies.get(_id) ?? 0
        doubles += Math.max(0, arrived - 1)
        if (arrived === 0) problems.push(`the reply ${_id} is lost`)
        if (arrived > 1 && !email.possiblyDoubled)
          problems.push(`the reply ${_id} arrived ${arrived} times and is not marked`)
      }
    }
    if (conversations.size !== this.#exchanged.length)
      problems.push(`${this.#exchanged.length} mails made ${conversations.size} conversations`)
    return { doubles, problems }
  }
}

interface StoredMessage {
  _id: string
  email: { possiblyDoubled: boolean }
}

function mailOf(index: number, size: number): string {
  const lines = [
    `From: Customer ${index} <customer-${index}@example.com>`,
    'To: help@acme.test',
    `Subject: Question ${index}`,
    `Message-ID: <${randomUUID()}@example.com>`,
    'Date: Sun, 22 Nov 2026 10:00:00 +0000',
    '',
    `Question ${index} ${'word '.repeat(size / 5)}`,
  ]
  return lines.join('\r\n')
}

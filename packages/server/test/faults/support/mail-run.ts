import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FaultPoint } from '../../../src/shared/fault-points.ts'
import { type CallResponse, call, password, registerTenant } from '../../support/call.ts'
import { makeCertificate } from '../../support/https-receiver.ts'
import { parsersOf } from '../../support/parsers-of.ts'
import { type Behaviour, type SmtpReceiver, startSmtpReceiver } from '../../support/smtp-receiver.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { createRandom, type Random } from './random.ts'
import { type FaultWorld, sqliteWorld } from './worlds.ts'

/** The moments of a mail's life, and how many passages of one life may come before the kill. */
const mailPoints = {
  'before-commit': 3,
  'during-group-commit': 12,
  'before-durable': 8,
  'after-durable': 8,
  'after-commit-before-wake': 6,
  'after-commit-before-answer': 2,
  'after-claim': 2,
  'before-send': 2,
  'after-send-before-result': 2,
  'before-result-commit': 2,
  'mail-bytes-before-row': 2,
  'mail-stored-before-answer': 2,
  'mail-read-before-commit': 2,
  'mail-body-before-response': 2,
} as const satisfies Partial<Record<FaultPoint, number>>
export type MailPoint = keyof typeof mailPoints
export const allMailPoints = Object.keys(mailPoints) as MailPoint[]

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
const retryEveryMs = 100
/** The leases of a killed process on the mails and on its attempts have ended by then. */
const beyondLeasesMs = 130_000
const laterMs = 10 * 60_000
const endsWithinMs = 240_000
const parserKillEveryMs = 4_000

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
  failures: string[]
}

interface MailSetting {
  mails: number
  seed: number
  /** Where the server is killed; by default at every point of a mail's life. */
  points?: readonly MailPoint[]
  /** The storage; by default a database of SQLite. */
  world?: FaultWorld
}

/**
 * Posts mails to the HTTP door and replies to each through an SMTP server that misbehaves, while the server is killed at
 * every step in turn and its parser at intervals. Then proves that nothing is lost and that each double is marked.
 */
export async function runMailFaults({
  mails,
  seed,
  points = allMailPoints,
  world = sqliteWorld(),
}: MailSetting): Promise<MailReport> {
  const random = createRandom(seed)
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-mail-'))
  const clock = new ShiftedClock(path.join(directory, 'ahead-ms'))
  const certificate = await makeCertificate()
  const receiver = await startSmtpReceiver({ certificate, security: 'none' })
  const crashes = new CrashPlan(random.fork('crashes'), points)
  const variables = {
    ...world.variables,
    CRM_RATE_LIMITS: 'off',
    CRM_LOG_LEVEL: 'silent',
    CRM_SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    CRM_MAIL_FROM: 'relay@crm.test',
    CRM_MAIL_ALLOW_CIDRS: '127.0.0.0/8',
  }
  const planFor = () => {
    clock.add(beyondLeasesMs)
    return { clockFile: clock.file, ...crashes.next() }
  }
  const fleet = await startFleet([{ name: 'server', variables, planFor }])
  let report: MailReport | undefined
  try {
    const run = new MailRun(fleet, random)
    await run.open()
    crashes.isOn = true
    await fleet.members[0]?.kill()
    const misbehaving = setInterval(() => receiver.behave(random.pick(misbehaviours)), behaviourMs)
    const passing = setInterval(() => clock.add(passedMs), passEveryMs)
    const parsers = new ParserKills(fleet)
    await run.exchange(mails)
    for (const timer of [misbehaving, passing]) clearInterval(timer)
    parsers.stop()
    crashes.isOn = false
    receiver.behave({})
    await fleet.members[0]?.kill()
    const failures = await run.settle(() => clock.add(laterMs))
    const { doubles, problems } = await run.verify(receiver)
    failures.push(...problems)
    report = {
      mails,
      replies: mails,
      kills: Object.values(crashes.reached).reduce((sum, count) => sum + count, 0),
      points: crashes.reached,
      parserKills: parsers.count,
      parked: run.parked,
      doubles,
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
  return report
}

class ShiftedClock {
  readonly file: string
  #aheadMs = 0
  constructor(file: string) {
    this.file = file
    writeFileSync(file, '0')
  }

  add(ms: number): void {
    this.#aheadMs += ms
    writeFileSync(this.file, String(this.#aheadMs))
  }
}

/** Plans one kill for each life of the server: the points round-robin. */
class CrashPlan {
  isOn = false
  readonly reached: MailReport['points'] = {}
  readonly #random: Random
  #lives = 0
  readonly #points: readonly MailPoint[]
  #planned: MailPoint | undefined
  constructor(random: Random, points: readonly MailPoint[]) {
    this.#random = random
    this.#points = points
  }

  /** A life begins, so the one before has died where it was planned: nothing else ends it while kills are on. */
  next() {
    if (this.#planned !== undefined && this.isOn)
      this.reached[this.#planned] = (this.reached[this.#planned] ?? 0) + 1
    this.#planned = undefined
    if (!this.isOn) return {}
    const point = this.#points[this.#lives++ % this.#points.length] ?? 'before-commit'
    this.#planned = point
    return { crash: { point, passage: 1 + this.#random.below(mailPoints[point]) } }
  }
}

/** Kills the process that reads mails, at intervals. */
class ParserKills {
  count = 0
  readonly #timer: NodeJS.Timeout
  constructor(fleet: Fleet) {
    this.#timer = setInterval(() => {
      const pid = fleet.members[0]?.program()?.process.pid
      for (const parser of pid === undefined ? [] : parsersOf(pid)) {
        process.kill(parser, 'SIGKILL')
        this.count += 1
      }
    }, parserKillEveryMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

interface Exchanged {
  mailId: string
  replyId: string
}

class MailRun {
  readonly #fleet: Fleet
  readonly #random: Random
  readonly #exchanged: Exchanged[] = []
  #owner = { email: '', token: '' }
  #door = ''
  /** How often the operator has processed a mail again. */
  parked = 0
  constructor(fleet: Fleet, random: Random) {
    this.#fleet = fleet
    this.#random = random
  }

  async open(): Promise<void> {
    const { email, token } = await registerTenant(await this.#fleet.whenUp())
    this.#owner = { email, token }
    const [inbox] = await this.#ask('GET', '/api/v1/inboxes')
    const settings = { address: 'help@acme.test', plusAddressing: true, transport: 'relay' }
    await this.#ask('PUT', `/api/v1/inboxes/${inbox._id}`, { email: settings })
    const { inboundToken } = await this.#ask('POST', `/api/v1/inboxes/${inbox._id}/inbound-token`, {})
    this.#door = `/api/v1/inbound/email/${inboundToken}`
  }

  /** Repeats a request until the service has said yes, as every client must that was cut off. */
  async #until(send: (url: string) => Promise<CallResponse>) {
    for (;;) {
      const url = await this.#fleet.whenUp()
      const response = await send(url).catch(() => undefined)
      if (response !== undefined && response.status < 300) return response.body.data
      if (response?.status === 401) await this.#signIn(url)
      else if (response !== undefined && [400, 404, 422].includes(response.status))
        throw new Error(JSON.stringify(response.body))
      await delay(retryEveryMs)
    }
  }

  /** The clock of the run is ahead by hours, so a session ends in the middle. */
  async #signIn(url: string): Promise<void> {
    const body = { email: this.#owner.email, password }
    const response = await call(url, { method: 'POST', path: '/api/auth/login', body }).catch(() => undefined)
    if (response?.status === 200) this.#owner.token = response.body.data.accessToken
  }

  #ask(method: string, at: string, body?: unknown, headers: Record<string, string> = {}) {
    return this.#until((url) =>
      call(url, { method, path: at, token: this.#owner.token, headers, ...(body !== undefined && { body }) }),
    )
  }

  /** Posts the mails, and replies to each. */
  async exchange(count: number): Promise<void> {
    let next = 0
    const client = async () => {
      while (next < count) this.#exchanged.push(await this.#exchangeOne(next++))
    }
    await Promise.all(Array.from({ length: clients }, client))
  }

  async #exchangeOne(index: number): Promise<Exchanged> {
    const raw = mailOf(index, this.#random.below(40_000))
    const headers = { 'content-type': 'message/rfc822' }
    const post = (url: string) => call(url, { method: 'POST', path: this.#door, rawBody: raw, headers })
    const { _id: mailId } = await this.#until(post)
    const { conversationId } = await this.#processed(mailId)
    const reply = { content: `Reply ${index}` }
    const at = `/api/v1/conversations/${conversationId}/messages`
    const { _id: replyId } = await this.#ask('POST', at, reply, { 'Idempotency-Key': randomUUID() })
    return { mailId, replyId }
  }

  /** A mail whose parser was killed is read again by itself; after five kills its operator processes it again. */
  async #processed(mailId: string): Promise<{ conversationId: string }> {
    for (;;) {
      const mail = await this.#ask('GET', `/api/v1/inbound-mails/${mailId}`)
      if (mail.status === 'processed') return mail
      if (mail.status === 'parked') {
        const url = await this.#fleet.whenUp()
        const again = `/api/v1/inbound-mails/${mailId}/process-again`
        // A repeat after a crash finds the mail in work: 409.
        const options = { method: 'POST', path: again, token: this.#owner.token }
        const response = await call(url, options).catch(() => undefined)
        if (response?.status === 200) this.parked += 1
      }
      await delay(retryEveryMs)
    }
  }

  /** Waits until every reply is sent, in a time that passes faster; returns those that are not. */
  async settle(passTime: () => void): Promise<string[]> {
    const endsAt = performance.now() + endsWithinMs
    let waiting = this.#exchanged.map(({ replyId }) => replyId)
    while (waiting.length > 0 && performance.now() < endsAt) {
      const still: string[] = []
      for (const id of waiting) {
        const { status } = await this.#ask('GET', `/api/v1/messages/${id}`)
        if (status === 'failed') await this.#ask('POST', `/api/v1/messages/${id}/send-again`)
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
    for (const { mailId, replyId } of this.#exchanged) {
      const message = await this.#ask('GET', `/api/v1/messages/${replyId}`)
      const mail = await this.#ask('GET', `/api/v1/inbound-mails/${mailId}`)
      conversations.add(message.conversationId)
      const all = await this.#ask('GET', `/api/v1/conversations/${message.conversationId}/messages`)
      const inbound = all.filter(({ direction }: { direction: string }) => direction === 'inbound')
      if (inbound.length !== 1 || all.length !== 2 || inbound[0]._id !== mail.messageId)
        problems.push(
          `the conversation of ${mailId} has ${inbound.length} of 1 mails, ${all.length} of 2 messages`,
        )
      const arrived = copies.get(replyId) ?? 0
      doubles += Math.max(0, arrived - 1)
      if (arrived === 0) problems.push(`the reply ${replyId} is lost`)
      if (arrived > 1 && !message.email.possiblyDoubled)
        problems.push(`the reply ${replyId} arrived ${arrived} times and is not marked`)
    }
    if (conversations.size !== this.#exchanged.length)
      problems.push(`${this.#exchanged.length} mails made ${conversations.size} conversations`)
    return { doubles, problems }
  }
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

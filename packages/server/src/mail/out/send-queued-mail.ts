import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { IdFactory } from '@crmkit/core'
import { DeliveryEngine, type DeliverySender } from '../../delivery/engine/delivery-engine.ts'
import { type DeliveryLimits, defaultDeliveryLimits } from '../../delivery/engine/delivery-limits.ts'
import { type BackgroundJob, type JobDeclaration, pollEveryMs } from '../../jobs/background-job.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { Change } from '../../ports/change.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { MailResult, MailSender, MailSettings } from '../../ports/mail-sender.ts'
import type { MailTokens } from '../../ports/mail-tokens.ts'
import type { Meters } from '../../ports/meters.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { Committed, Storage } from '../../ports/storage.ts'
import type { AttemptClaim, DeliveryQueueQuery } from '../../ports/system-store.ts'
import { isoTime } from '../../shared/clock.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { isNotedDoor } from '../../shared/note-door.ts'
import { StorageUnavailable, VersionConflict } from '../../storage/errors.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { MailSend } from '../../storage/kinds/mail-sends.ts'
import type { PlannedQueue, Stored, TenantId } from '../../storage/records.ts'
import { AwayServers, saysNothing, serverName } from './away-servers.ts'
import { oldestQueuedMail } from './oldest-queued-mail.ts'
import { prepareMail } from './prepare-mail.ts'
import { type Prepared, unreachable } from './prepared.ts'
import { resultChange } from './send-result.ts'
import { giveUpAtAfterWait, isOverAt } from './send-schedule.ts'

const leaseMs = 60_000
/** A server may take ten minutes for its last response: the lease of a running attempt is renewed. */
const renewEveryMs = 20_000
const resultTriesMax = 6
const conflictsMax = 20
/** A release by another process is noticed within this time. */
const restLookMs = 60_000
/** Each mail holds its bytes in memory while it is sent. */
const limits: DeliveryLimits = { ...defaultDeliveryLimits, total: 64, fresh: 32, freshMax: 64, perWebhook: 8 }

export interface MailJobParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  attachments: Pick<AttachmentStore, 'read'>
  clock: Clock
  ids: IdFactory
  log: Log
  secrets: SecretBox
  mail: MailSettings
  mailSender: MailSender
  mailTokens: MailTokens
  meters: Pick<Meters, 'recipientsMailed'>
}

export interface MailClaim {
  tenantId: TenantId
  send: Stored<MailSend>
  /** An earlier attempt ended without a result: the server may have the mail. */
  wasInterrupted: boolean
  /** The mail server (`serverName`). */
  server: string
  /** The time for attempts has ended while the server was away. */
  isOver: boolean
}

interface QueueClaim {
  tenantId: TenantId
  inboxId: string
  limit: number
  now: string
}

type QueuedSend = Pick<MailClaim, 'tenantId' | 'send'>
type ClaimedMails = { claims: MailClaim[]; nextAt: string | null }

/** E-mail, as the second sender of the delivery engine: a queue is an inbox. */
class QueuedMail implements DeliverySender<MailClaim> {
  readonly leaseMs = leaseMs
  readonly #parts: MailJobParts
  readonly engine: DeliveryEngine<MailClaim>
  readonly #away = new AwayServers()
  #isWriting = true

  constructor(parts: MailJobParts) {
    this.#parts = parts
    this.engine = new DeliveryEngine({ sender: this, limits, clock: parts.clock })
  }

  readonly listQueues = async ({ after, limit, tenantId }: DeliveryQueueQuery) => {
    const { system } = this.#parts.storage
    const deliveryQueues: PlannedQueue[] = []
    let last = after ?? ''
    for (let count = 0; count < limit; count++) {
      const found = await system.across.dueMailSends.first(last)
      if (found === undefined) return { deliveryQueues, next: null }
      const { queuedInboxId: inboxId, dueAt } = found.columns
      last = inboxId
      if (tenantId !== undefined && found.tenantId !== tenantId) continue
      const tenant = await system.findTenant(found.tenantId)
      if (tenant === undefined || tenant.isSuspended) continue
      const nextAt = await this.#nextAt({ tenantId: found.tenantId, inboxId, nextAt: dueAt })
      const url = `smtp://${inboxId}`
      deliveryQueues.push({ tenantId: found.tenantId, webhookId: inboxId, isRetry: false, url, nextAt })
    }
    return { deliveryQueues, next: last }
  }

  /** A mail that waits for its server alone is due when somebody has reached that. */
  async #nextAt(queue: { tenantId: TenantId; inboxId: string; nextAt: string }): Promise<string> {
    const { tenantId, inboxId, nextAt } = queue
    if (this.#away.isEmpty) return nextAt
    const inbox = await this.#parts.storage.forTenant(tenantId).inboxes.find(inboxId)
    const server = serverName({ tenantId, queueId: inboxId }, inbox)
    const isBack = this.#away.wasReached(server, reachedAtMs(inbox))
    return isBack ? isoTime(Math.min(this.#parts.clock.nowMs(), Date.parse(nextAt))) : nextAt
  }

  claim({ now, deliveryQueues }: AttemptClaim): Promise<ClaimedMails[]> {
    return Promise.all(
      deliveryQueues.map(({ tenantId, webhookId, limit }) =>
        this.#claimQueue({ tenantId, inboxId: webhookId, limit, now }),
      ),
    )
  }

  async #claimQueue({ tenantId, inboxId, limit, now }: QueueClaim): Promise<ClaimedMails> {
    const { storage } = this.#parts
    const [queued, inbox] = await Promise.all([
      storage.system.across.dueMailSends.of(inboxId, limit + 1),
      storage.forTenant(tenantId).inboxes.find(inboxId),
    ])
    if (isResting(inbox)) return { claims: [], nextAt: isoTime(Date.parse(now) + restLookMs) }
    const found = queued.map(({ row }): QueuedSend => ({ tenantId, send: row }))
    const server = serverName({ tenantId, queueId: inboxId }, inbox)
    const isBack = this.#away.noteReached(server, reachedAtMs(inbox))
    const isDue = ({ send }: QueuedSend) => (send.dueAt ?? now) <= now || (isBack && waitsForServer(send))
    const due = found.filter(isDue).slice(0, limit)
    const isOver = ({ send }: QueuedSend) =>
      this.#away.has(server) &&
      isOverAt(send, { isRefused: this.#away.isRefusing(server), atMs: Date.parse(now) })
    const rest = due.filter((mail) => !isOver(mail))
    const turn = this.#away.take(server, { due: rest.length, nowMs: Date.parse(now) })
    const chosen = [
      ...due.filter(isOver).map((mail) => ({ ...mail, server, isOver: true })),
      ...rest.slice(0, turn.count).map((mail) => ({ ...mail, server, isOver: false })),
    ]
    const claims = await Promise.all(chosen.map((mail) => this.#claimOne(mail, now)))
    const nextAt = turn.nextAtMs === null ? (found[due.length]?.send.dueAt ?? null) : isoTime(turn.nextAtMs)
    return { claims: claims.filter((claim) => claim !== undefined), nextAt }
  }

  /** Takes the lease, which is the time of the next attempt: when this process dies, another one makes it then. */
  async #claimOne(
    { tenantId, send, server, isOver }: QueuedSend & Pick<MailClaim, 'server' | 'isOver'>,
    now: string,
  ): Promise<MailClaim | undefined> {
    const nowMs = Date.parse(now)
    const isHeld = isOver || this.#away.isRefusing(server)
    const giveUpAt = isHeld ? send.giveUpAt : giveUpAtAfterWait(send, nowMs)
    const set = { lockToken: randomUUID(), dueAt: isoTime(nowMs + leaseMs), giveUpAt }
    const { _id: id, version } = send
    const write = { op: 'update', kind: 'mailSends', id, expectVersion: version, set } as const
    try {
      await this.#parts.storage.forTenant(tenantId).commit({ writes: [write], events: [] })
    } catch (error) {
      // Another process was first, or the message was taken back.
      if (error instanceof VersionConflict) return undefined
      throw error
    }
    return {
      tenantId,
      server,
      isOver,
      send: { ...send, ...set, version: version + 1 },
      wasInterrupted: send.lockToken !== null,
    }
  }

  keyOf({ tenantId, send }: MailClaim): string {
    return `${tenantId}\u0000${send._id}`
  }

  renew(running: MailClaim, again: MailClaim): void {
    running.send = again.send
  }

  hasCapacity(): boolean {
    return this.#isWriting
  }

  async attempt(claim: MailClaim): Promise<boolean> {
    const { log } = this.#parts
    const { tenantId, send } = claim
    const stopRenewing = this.#renewLease(claim)
    try {
      const prepared = await prepareMail(this.#parts, claim)
      if (prepared === undefined) return false
      passFaultPoint('before-send')
      const result = await this.#resultOf(claim, prepared)
      passFaultPoint('after-send-before-result')
      await stopRenewing()
      await this.#store(claim, { result, to: prepared.to })
      return saysNothing(result) && !claim.isOver
    } catch (err) {
      // The lease ends, and the mail is sent then; it says that it may be doubled.
      log.error({ err, tenantId, messageId: send._id }, 'A mail could not be sent')
      return false
    } finally {
      await stopRenewing()
    }
  }

  async #resultOf({ server, isOver }: MailClaim, prepared: Prepared): Promise<MailResult> {
    if (isOver) return unreachable('The mail server was away for too long')
    const result = 'result' in prepared ? prepared.result : await this.#parts.mailSender.send(prepared.mail)
    this.#away.note(server, result, this.#parts.clock.nowMs())
    if (result.outcome === 'refused_sign_in' && 'inbox' in prepared)
      this.#parts.mailTokens.forget(prepared.inbox)
    return result
  }

  /** Returns a function that ends the renewals and waits for the one under way. */
  #renewLease(claim: MailClaim): () => Promise<void> {
    const { storage, clock } = this.#parts
    let renewing = Promise.resolve()
    const renew = async () => {
      const { _id: id, version: expectVersion } = claim.send
      const set = { dueAt: isoTime(clock.nowMs() + leaseMs) }
      const write = { op: 'update', kind: 'mailSends', id, expectVersion, set } as const
      await storage.forTenant(claim.tenantId).commit({ writes: [write], events: [] })
      claim.send = { ...claim.send, ...set, version: expectVersion + 1 }
    }
    const timer = setInterval(() => {
      renewing = renewing.then(renew).catch(() => undefined)
    }, renewEveryMs)
    return async () => {
      clearInterval(timer)
      await renewing
    }
  }

  /** Stores the result, also when the database is away for a moment: without it the mail would be sent twice. */
  async #store(claim: MailClaim, ended: { result: MailResult; to: readonly string[] }): Promise<void> {
    const { storage, clock, ids } = this.#parts
    const store = storage.forTenant(claim.tenantId)
    let conflicts = 0
    for (let tries = 1; ; ) {
      try {
        const nextTryMs = this.#away.nextTryMs(claim.server)
        const change = await resultChange(
          { store, ids, nowMs: clock.nowMs() },
          { claim, ...ended, nextTryAt: nextTryMs === null ? null : isoTime(nextTryMs) },
        )
        if (change !== undefined) {
          passFaultPoint('before-result-commit')
          await store.commit(change)
          this.#countMailed(claim, ended.result)
          this.#reportLost(claim, { change, result: ended.result })
        }
        this.#isWriting = true
        return
      } catch (error) {
        if (isConflict(error) && conflicts++ < conflictsMax) continue
        if (!(error instanceof StorageUnavailable) || tries >= resultTriesMax) throw error
        this.#isWriting = false
        await delay(100 * 2 ** tries++)
      }
    }
  }

  #countMailed({ server }: MailClaim, { recipients }: MailResult): void {
    const count = recipients.filter(({ outcome }) => outcome === 'sent').length
    if (count > 0) this.#parts.meters.recipientsMailed(server === 'relay' ? 'relay' : 'smtp', count)
  }

  /** No message shows that a system mail has failed, so the operator reads it in the log. */
  #reportLost(
    { tenantId, send }: MailClaim,
    { change, result }: { change: Change; result: MailResult },
  ): void {
    const isOver = send.systemMail !== undefined && change.writes[0]?.op === 'remove'
    if (!isOver || result.outcome === 'sent') return
    const { code, response } = result
    this.#parts.log.warn({ tenantId, mailId: send._id, code, response }, 'A system mail was given up')
  }
}

function createSendQueuedMail(parts: MailJobParts): BackgroundJob {
  const { engine } = new QueuedMail(parts)
  return {
    runDue: () => engine.runDue(),
    stop: () => engine.stop(),
    onCommitted: (commit) => {
      if (isMailQueued(commit)) engine.hint(commit.tenantId)
    },
  }
}

/** Whether the next attempt is late only because the server said nothing about this mail. */
function waitsForServer({ lockToken, attempts }: MailSend): boolean {
  const last = attempts.at(-1)
  return lockToken === null && (last?.outcome === 'refused_sign_in' || last?.outcome === 'unreachable')
}

/** Another commit came first: the result is decided again on the fresh rows. */
function isConflict(error: unknown): boolean {
  return error instanceof VersionConflict || isNotedDoor(error)
}

function isResting(inbox: InboxRecord | undefined): boolean {
  return inbox?.sending?.state === 'resting'
}

/** When the last sign-in to the server of an inbox succeeded, ms since 1970; 0: it failed, or nobody has tried. */
function reachedAtMs(inbox: InboxRecord | undefined): number {
  const status = inbox?.email?.smtp?.status
  return status?.ok && status.checkedAt !== null ? Date.parse(status.checkedAt) : 0
}

/** A test of the server, another password, or the end of a rest ends the waiting of its mail. */
function mayEndWait(write: Committed['change']['writes'][number]): boolean {
  if (write.kind !== 'inboxes' || write.op !== 'update') return false
  if (write.set.sending?.state === 'active') return true
  return write.set.mailSecrets !== undefined || write.set.email?.smtp?.status.ok === true
}

function isMailQueued({ change }: Committed): boolean {
  return change.writes.some(
    (write) =>
      mayEndWait(write) ||
      (write.kind === 'mailSends' &&
        (write.op === 'insert' || (write.op === 'update' && write.set.status === 'queued'))),
  )
}

/** Sends queued mail through the relay or the server of its inbox. */
export const sendQueuedMail: JobDeclaration = {
  pollEveryMs,
  backlog: {
    waits: 'mails that are to be sent, of the first 100 inboxes with one',
    lateAfterMinutes: 30,
    oldestDue: oldestQueuedMail,
  },
  wakes: {
    on: ['inboxes', 'mailSends'],
    ask(commit, wake) {
      for (const write of commit.change.writes) {
        if (mayEndWait(write)) wake()
        if (write.kind !== 'mailSends') continue
        if (write.op === 'insert' && write.row.dueAt !== null) wake(Date.parse(write.row.dueAt))
        else if (write.op === 'update' && write.set.status === 'queued') wake()
      }
    },
  },
  make: createSendQueuedMail,
}

import { BudgetSpent } from '../../../fairness/budgets.ts'
import type { FairSlots } from '../../../fairness/fair-slots.ts'
import { MailboxFailure, type MailSource, type OpenMailbox } from '../../../ports/mail-source.ts'
import type { MailTokens } from '../../../ports/mail-tokens.ts'
import type { SecretBox } from '../../../ports/secret-box.ts'
import type { TenantStore } from '../../../ports/storage.ts'
import { isoTime } from '../../../shared/clock.ts'
import { StorageUnavailable, VersionConflict } from '../../../storage/errors.ts'
import { type InboxRecord, settingsOfMailbox, visitOf } from '../../../storage/kinds/inboxes.ts'
import type { TenantId } from '../../../storage/records.ts'
import { mailboxOfInbox } from '../../addresses/mailbox-of-inbox.ts'
import type { StoreMailParts } from '../store-mail.ts'
import { cursorWrite, type MailboxCursor, openCursor } from './mailbox-cursor.ts'
import { type Failure, reportMailbox } from './report-status.ts'
import { setAside, type TakenMail, takeMail } from './take-mail.ts'

/** A server that reports nothing, or no IDLE at all, delays a mail by no more; a mailbox without a connection is due as often. */
const pollMs = 5 * 60_000
/** A connection that reads in time is not taken for a late one. */
const slackMs = 60_000
/** A server that reports new mail without end is asked no more often. */
const roundMsMin = 250
const pageSize = 500
/** Failures of one mail after which it is set aside. */
const mailTriesMax = 3
/** The status is written at most as often while mail arrives. */
const reportMs = 60_000
/** A connection that lasted as long was a good one: the next pause is a short one again. */
const goodMs = 60_000
const dayMs = 86_400_000

const pauses = { usual: { firstMs: 1_000, maxMs: 300_000 }, refused: { firstMs: 60_000, maxMs: 1_800_000 } }

export interface ReaderParts extends StoreMailParts {
  mailSource: MailSource
  secrets: SecretBox
  mailTokens: MailTokens
  slots: FairSlots
}

/** A mail that no budget has space for waits at its server, and is not asked for meanwhile. */
function pauseMsAfter(error: unknown, failures: number): number {
  const isRefused = error instanceof MailboxFailure && error.isSignInRefused
  const { firstMs, maxMs } = isRefused ? pauses.refused : pauses.usual
  const waitMs = error instanceof BudgetSpent ? error.retrySeconds * 1000 : 0
  return Math.min(Math.max(firstMs * 2 ** (failures - 1), waitMs), maxMs)
}

/**
 * Reads the mailbox of one inbox until it is stopped: one connection, made anew after every failure. A visit reads what is there, at
 * most one page of mail, and ends by itself.
 */
export class MailboxReader {
  readonly tenantId: TenantId
  readonly settings: string
  readonly startedAtMs: number
  /** Resolves when the reader has stopped, by itself when another process has moved the cursor. */
  readonly ended: Promise<void>
  readonly #parts: ReaderParts
  readonly #inbox: InboxRecord
  readonly #isVisit: boolean
  readonly #store: TenantStore
  #mailbox: OpenMailbox | undefined
  #isStopped = false
  #stop = () => {}
  readonly #stopped = new Promise<void>((resolve) => {
    this.#stop = resolve
  })
  #failed = { uid: 0, tries: 0, message: '' }
  #failures: number
  #reportedError: string | null | undefined
  /** Until when nobody else has to look after the mailbox. */
  #dueAtMs: number
  #busyAtMs: number
  #hasRead = false
  /** The last mail whose time the inbox does not say yet. */
  #mailAt: string | null = null
  #mailReportedAtMs = 0

  constructor(
    parts: ReaderParts,
    { tenantId, row: inbox }: { tenantId: TenantId; row: InboxRecord },
    { isVisit = false } = {},
  ) {
    const visit = visitOf(inbox)
    this.#parts = parts
    this.#inbox = inbox
    this.#isVisit = isVisit
    this.#failures = visit?.failures ?? 0
    this.#dueAtMs = visit === undefined ? 0 : Date.parse(visit.dueAt)
    this.#store = parts.storage.forTenant(tenantId)
    this.tenantId = tenantId
    this.settings = settingsOfMailbox(inbox)
    this.startedAtMs = parts.clock.nowMs()
    this.#busyAtMs = this.startedAtMs
    this.ended = this.#run()
  }

  /** When it read its last mail, or began. */
  get busyAtMs(): number {
    return this.#busyAtMs
  }

  /** Whether it has read mail. */
  get hasRead(): boolean {
    return this.#hasRead
  }

  stop(): void {
    this.#isStopped = true
    this.#mailbox?.close()
    this.#stop()
  }

  /** Lets the mailbox be due immediately: its tenant may be resumed at any moment. */
  async leaveDue(): Promise<void> {
    const at = isoTime(this.#parts.clock.nowMs())
    const visit = { of: this.settings, dueAt: at, failures: this.#failures }
    const { _id: inboxId } = this.#inbox
    await reportMailbox(this.#store, { inboxId, visit, at, failure: undefined, mailAt: undefined })
  }

  async #run(): Promise<void> {
    let mayGoOn = true
    while (mayGoOn && !this.#isStopped) {
      const beganMs = performance.now()
      try {
        await this.#connectAndFollow()
      } catch (error) {
        // Another process reads this mailbox now.
        if (this.#isStopped || error instanceof VersionConflict) return
        if (performance.now() - beganMs >= goodMs) this.#failures = 0
        await this.#fail(error)
      } finally {
        this.#mailbox?.close()
        this.#mailbox = undefined
      }
      mayGoOn = !this.#isVisit
    }
  }

  async #fail(error: unknown): Promise<void> {
    this.#failures += 1
    if (error instanceof MailboxFailure && error.isSignInRefused) this.#parts.mailTokens.forget(this.#inbox)
    const waitMs = pauseMsAfter(error, this.#failures)
    await this.#noteFailure(error, waitMs)
    if (!this.#isVisit) await this.#pause(waitMs)
  }

  async #connectAndFollow(): Promise<void> {
    const { mailSource, clock } = this.#parts
    const server = await mailboxOfInbox(this.#inbox, { ...this.#parts, tenantId: this.tenantId })
    if (server === undefined) throw new MailboxFailure('The password of the mailbox is not set.')
    const mailbox = await mailSource.open(server)
    this.#mailbox = mailbox
    if (this.#isStopped) return
    const opening = { store: this.#store, inbox: this.#inbox, mailbox, nowMs: clock.nowMs() }
    const cursor = await openCursor(opening)
    if (this.#isVisit) return this.#readOnce(mailbox, cursor)
    await this.#report(null)
    while (!this.#isStopped) {
      const roundAtMs = performance.now()
      while (!this.#isStopped && (await this.#readPage(mailbox, cursor))) {}
      await this.#reportRound()
      if (!this.#isStopped) await mailbox.waitForMail(this.#mailAt === null ? pollMs : reportMs)
      await this.#pause(roundMsMin - (performance.now() - roundAtMs))
    }
  }

  async #readOnce(mailbox: OpenMailbox, cursor: MailboxCursor): Promise<void> {
    // The server says that nothing has arrived: no search is needed.
    const isEmpty = cursor.uid >= cursor.oldUid && cursor.uid >= mailbox.uidNext - 1 && mailbox.uidNext > 1
    if (!isEmpty) while (!this.#isStopped && !this.#hasRead && (await this.#readPage(mailbox, cursor))) {}
    this.#failures = 0
    // There may be more.
    await this.#report(null, { waitMs: this.#hasRead ? 0 : pollMs })
  }

  /** Returns whether there may be more. */
  async #readPage(mailbox: OpenMailbox, cursor: MailboxCursor): Promise<boolean> {
    const { startsAt, oldUid, uid: after } = cursor
    // The server compares days of its own time zone.
    const since = after < oldUid ? isoTime(Date.parse(startsAt) - dayMs) : undefined
    const page = await mailbox.list({ after, since, limit: pageSize })
    for (const mail of page) {
      if (this.#isStopped) return false
      const isOld = mail.uid <= oldUid && mail.receivedAt !== undefined && mail.receivedAt < startsAt
      if (isOld) cursor.uid = mail.uid
      else await this.#parts.slots.run(this.tenantId, () => this.#take({ mailbox, cursor, mail }))
    }
    if (page.length > 0) return true
    if (after >= oldUid) return false
    await this.#moveTo(cursor, oldUid)
    return true
  }

  async #take({ mailbox, cursor, mail }: Pick<TakenMail, 'mailbox' | 'cursor' | 'mail'>): Promise<void> {
    if (this.#isStopped) return
    const folder = this.#inbox.email?.imap?.folder ?? ''
    const taken = { tenantId: this.tenantId, inboxId: this.#inbox._id, folder, mailbox, cursor, mail }
    const { uid, tries, message } = this.#failed
    if (uid === mail.uid && tries >= mailTriesMax) return setAside(this.#parts, taken, message)
    try {
      await takeMail(this.#parts, taken)
    } catch (error) {
      if (error instanceof MailboxFailure) {
        this.#failed = { uid: mail.uid, tries: uid === mail.uid ? tries + 1 : 1, message: error.message }
      }
      throw error
    }
    this.#busyAtMs = this.#parts.clock.nowMs()
    this.#hasRead = true
    this.#mailAt = isoTime(this.#busyAtMs)
  }

  async #moveTo(cursor: MailboxCursor, uid: number): Promise<void> {
    const write = cursorWrite(cursor, uid, isoTime(this.#parts.clock.nowMs()))
    await this.#store.commit({ writes: [write], events: [] })
    cursor.uid = uid
    cursor.version += 1
  }

  /** The time of the last mail is written once for the many that arrive within a minute. */
  async #reportRound(): Promise<void> {
    const nowMs = this.#parts.clock.nowMs()
    const isNews = this.#mailAt !== null && nowMs - this.#mailReportedAtMs >= reportMs
    if (isNews || this.#dueAtMs < nowMs + pollMs) await this.#report(null)
  }

  /** Writes the state when it is another one, and when somebody else would look after the mailbox before the next look. */
  async #report(failure: Failure | null | undefined, { waitMs = pollMs } = {}): Promise<void> {
    const nowMs = this.#parts.clock.nowMs()
    const error = failure === undefined ? this.#reportedError : (failure?.message ?? null)
    const isSame = this.#reportedError === error && this.#mailAt === null
    if (isSame && !this.#isVisit && this.#dueAtMs >= nowMs + waitMs) return
    const dueAtMs = nowMs + (this.#isVisit ? waitMs : Math.max(waitMs, pollMs) + slackMs)
    const mailAt = this.#mailAt ?? undefined
    await reportMailbox(this.#store, {
      inboxId: this.#inbox._id,
      visit: { of: this.settings, dueAt: isoTime(dueAtMs), failures: this.#failures },
      at: isoTime(nowMs),
      failure,
      mailAt,
    })
    this.#dueAtMs = dueAtMs
    this.#reportedError = error
    if (mailAt !== undefined) this.#mailReportedAtMs = nowMs
    if (this.#mailAt === mailAt) this.#mailAt = null
  }

  async #noteFailure(error: unknown, pauseMs: number): Promise<void> {
    const { log } = this.#parts
    const fields = { inboxId: this.#inbox._id, tenantId: this.tenantId }
    const isShown = error instanceof MailboxFailure || error instanceof BudgetSpent
    if (!isShown && !(error instanceof StorageUnavailable))
      log.error({ ...fields, err: error }, 'A mailbox could not be read; it is tried again')
    const waitMs = this.#isVisit ? Math.max(pauseMs, pollMs) : pauseMs
    // An inbox that was deleted, or a storage that is away: the next failure reports it.
    await this.#report(isShown ? error : undefined, { waitMs }).catch((err: unknown) =>
      log.warn({ ...fields, err }, 'The state of a mailbox could not be stored'),
    )
  }

  #pause(ms: number): Promise<void> {
    if (ms <= 0 || this.#isStopped) return Promise.resolve()
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms)
    })
    return Promise.race([over, this.#stopped]).finally(() => clearTimeout(timer))
  }
}

import { randomUUID } from 'node:crypto'
import { FairSlots } from '../../../fairness/fair-slots.ts'
import { chooseNext, chooseVictim } from '../../../fairness/places.ts'
import type { BackgroundJob, JobDeclaration, JobParts } from '../../../jobs/background-job.ts'
import type { Committed } from '../../../ports/storage.ts'
import { isoTime } from '../../../shared/clock.ts'
import { settingsOfMailbox } from '../../../storage/kinds/inboxes.ts'
import { dueMailboxes, findMailboxes, isDue, type Mailbox, oldestDueMailbox } from './due-mailboxes.ts'
import { MailboxReader, type ReaderParts } from './mailbox-reader.ts'

/** Four polls: a process that dies is replaced by the next poll of another one after it. */
const leaseMs = 20_000
const mailboxPollMs = 5_000
/** The holder renews its lease in one poll and dies; the first poll of another process after the lease gets it. */
export const mailboxTakeoverMsMax = leaseMs + mailboxPollMs
const endedMax = 1_000
/** Connections of one process that stay open. */
const readersMax = 200
/** Mailboxes that one process visits at the same time beside them, and that wait for it. */
const visitsAtOnce = 40
const visitsWaitingMax = 1_000
/** A connection that is younger is not ended for another one. */
const heldMsMin = 60_000
/** A mailbox without mail for so long gives its connection to one with mail first. */
const quietMs = 600_000
/** Mails that one process reads at the same time. */
const mailsAtOnce = 4
const stopWaitMs = 5_000

type FetchParts = Pick<
  JobParts,
  'storage' | 'attachments' | 'budgets' | 'clock' | 'ids' | 'log' | 'secrets' | 'mailSource' | 'mailTokens'
>

interface Visit {
  /** Absent while it waits for others. */
  reader?: MailboxReader
  ended: Promise<void>
}

/**
 * Reads mailboxes. As many as there are places for keep their connection; the others are visited in turn, and one whose visit finds
 * mail gets a place. A lease decides which process reads a mailbox.
 */
class MailFetching {
  readonly #parts: FetchParts
  readonly #readerParts: ReaderParts
  readonly #readersMax: number
  readonly #holder = randomUUID()
  readonly #readers = new Map<string, MailboxReader>()
  readonly #visits = new Map<string, Visit>()
  readonly #visitSlots = new FairSlots(visitsAtOnce)
  #isStopped = false

  constructor(parts: FetchParts & { readersMax?: number }) {
    this.#parts = parts
    this.#readersMax = parts.readersMax ?? readersMax
    this.#readerParts = { ...parts, slots: new FairSlots(mailsAtOnce) }
  }

  async poll(): Promise<void> {
    await this.#keepReaders()
    const ended = { prefix: leaseName(''), now: isoTime(this.#parts.clock.nowMs()), limit: endedMax }
    const names = await this.#parts.storage.system.listEndedLeases(ended)
    if (names.length > 0) await this.#takeOver(names)
    for await (const page of dueMailboxes(this.#parts.storage.system, this.#parts.clock.nowMs())) {
      if (this.#isStopped || this.#visits.size >= visitsWaitingMax) return
      await this.#begin(page)
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const visits = [...this.#visits.values()]
    for (const { reader } of visits) reader?.stop()
    await Promise.all([
      ...visits.map(({ ended }) => within(ended)),
      ...[...this.#readers].map(([key, reader]) => this.#end(key, reader, { isToBeFound: true })),
    ])
  }

  /** Ends the readers of mailboxes that are not to be read any more, or that another process reads. */
  async #keepReaders(): Promise<void> {
    const wanted = await findMailboxes(this.#parts.storage.system, [...this.#readers.keys()])
    await Promise.all(
      [...this.#readers].map(async ([key, reader]) => {
        const inbox = wanted.get(key)?.row
        const isSame = inbox !== undefined && settingsOfMailbox(inbox) === reader.settings
        if (!isSame) await this.#end(key, reader)
        if (inbox === undefined) await reader.leaveDue()
        else if (isSame && !(await this.#takeLease(key))) reader.stop()
      }),
    )
  }

  /** Goes on with mailboxes that a process has left: it does not make them wait until they are due. */
  async #takeOver(keys: readonly string[]): Promise<void> {
    const wanted = await findMailboxes(this.#parts.storage.system, keys)
    await this.#begin([...wanted.values()])
    const unwanted = keys.filter((key) => !wanted.has(key) && !this.#isBusyWith(key))
    for (const key of unwanted) if (await this.#takeLease(key)) await this.#releaseLease(key)
  }

  /** Gives the mailboxes the places that are free, and visits the others. */
  async #begin(mailboxes: readonly Mailbox[]): Promise<void> {
    const waiting = mailboxes.filter(({ key }) => !this.#isBusyWith(key))
    for (const mailbox of chooseNext(waiting, { held: this.#readers, servedAtMs: new Map() })) {
      if (this.#isStopped) return
      if (this.#readers.size >= this.#readersMax) this.#planVisit(mailbox)
      else if (await this.#takeLease(mailbox.key)) this.#hold(mailbox)
    }
  }

  #isBusyWith(key: string): boolean {
    return this.#readers.has(key) || this.#visits.has(key)
  }

  #hold(mailbox: Mailbox): void {
    const { key } = mailbox
    const reader = new MailboxReader(this.#readerParts, mailbox)
    this.#readers.set(key, reader)
    void reader.ended.then(() => {
      if (this.#readers.get(key) === reader) this.#readers.delete(key)
    })
  }

  #planVisit({ key, tenantId }: Mailbox): void {
    if (this.#visits.size >= visitsWaitingMax) return
    const visit: Visit = { ended: Promise.resolve() }
    this.#visits.set(key, visit)
    visit.ended = this.#visitSlots
      .run(tenantId, () => this.#visit(key, visit))
      .catch((err: unknown) => this.#parts.log.warn({ err, tenantId }, 'A mailbox could not be visited'))
      .finally(() => this.#visits.delete(key))
  }

  /** Reads a mailbox once, when it is still due: another process may have read it meanwhile. */
  async #visit(key: string, visit: Visit): Promise<void> {
    const { storage, clock } = this.#parts
    if (this.#isStopped || !(await this.#takeLease(key))) return
    let isHeld = false
    try {
      const mailbox = (await findMailboxes(storage.system, [key])).get(key)
      if (mailbox === undefined || !isDue(mailbox, clock.nowMs()) || this.#isStopped) return
      const reader = new MailboxReader(this.#readerParts, mailbox, { isVisit: true })
      visit.reader = reader
      const renewing = setInterval(() => void this.#renew(key, reader), mailboxPollMs)
      await reader.ended.finally(() => clearInterval(renewing))
      isHeld = reader.hasRead && this.#tryHold(mailbox)
    } finally {
      if (!isHeld) await this.#releaseLease(key)
    }
  }

  async #renew(key: string, reader: MailboxReader): Promise<void> {
    const isMine = await this.#takeLease(key).catch(() => true)
    if (!isMine) reader.stop()
  }

  /** Returns whether a mailbox with mail gets a place: one of a quiet mailbox, or of a tenant with as many. */
  #tryHold(mailbox: Mailbox): boolean {
    const isFull = this.#readers.size >= this.#readersMax
    const victim = isFull ? this.#chooseVictim(mailbox) : undefined
    if (this.#isStopped || (isFull && victim === undefined)) return false
    // Immediately: another visit that ends now must not choose the same one.
    if (victim !== undefined) this.#replace(victim)
    this.#hold(mailbox)
    return true
  }

  #chooseVictim({ tenantId }: Mailbox): string | undefined {
    const nowMs = this.#parts.clock.nowMs()
    const quiet = [...this.#readers].filter(([, reader]) => nowMs - reader.busyAtMs >= quietMs)
    const choice = { tenantId, nowMs, heldMsMin }
    return chooseVictim(new Map(quiet), choice) ?? chooseVictim(this.#readers, choice)
  }

  #replace(key: string): void {
    const reader = this.#readers.get(key)
    this.#readers.delete(key)
    void (reader && this.#end(key, reader))?.catch((err: unknown) =>
      this.#parts.log.warn({ err }, 'The lease of a mailbox could not be released; it ends by itself'),
    )
  }

  /** Frees the mailbox only when its connection has ended. */
  async #end(key: string, reader: MailboxReader, { isToBeFound = false } = {}): Promise<void> {
    reader.stop()
    await within(reader.ended)
    if (this.#readers.get(key) === reader) this.#readers.delete(key)
    if (isToBeFound) await this.#takeLease(key, 0)
    else await this.#releaseLease(key)
  }

  #takeLease(key: string, ms = leaseMs): Promise<boolean> {
    const { storage, clock } = this.#parts
    const now = isoTime(clock.nowMs())
    return storage.system.takeLease({ name: leaseName(key), holder: this.#holder, now, leaseMs: ms })
  }

  #releaseLease(key: string): Promise<void> {
    return this.#parts.storage.system.releaseLease({ name: leaseName(key), holder: this.#holder })
  }
}

const leaseName = (key: string) => `imap ${key}`

async function within(ended: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, stopWaitMs)
  })
  await Promise.race([ended, waited])
  clearTimeout(timer)
}

/** Makes the job, with fewer connections in a test. */
export function createFetchMail(parts: FetchParts & { readersMax?: number }): BackgroundJob {
  const fetching = new MailFetching(parts)
  return {
    runDue: async () => {
      await fetching.poll()
      return null
    },
    stop: () => fetching.stop(),
  }
}

/** The service's own reports about a mailbox write nothing but `email` and `mailboxVisit`. */
function changesMailboxes(write: Committed['change']['writes'][number]): boolean {
  if (write.kind === 'tenants') return true
  if (write.kind !== 'inboxes') return false
  return write.op !== 'update' || 'isActive' in write.set || 'mailSecrets' in write.set
}

/** Reads the mailboxes of inboxes over IMAP. */
export const fetchMail: JobDeclaration = {
  pollEveryMs: mailboxPollMs,
  backlog: {
    waits: 'mailboxes that are to be read',
    lateAfterMinutes: 15,
    oldestDue: oldestDueMailbox,
  },
  wakes: {
    on: ['inboxes', 'tenants'],
    ask({ change }: Committed, wake) {
      if (change.writes.some(changesMailboxes)) wake()
    },
  },
  make: createFetchMail,
}

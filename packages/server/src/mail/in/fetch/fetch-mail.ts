import { randomUUID } from 'node:crypto'
import { FairSlots } from '../../../fairness/fair-slots.ts'
import { chooseNext, chooseVictim } from '../../../fairness/places.ts'
import type { BackgroundJob, JobDeclaration, JobParts } from '../../../jobs/background-job.ts'
import type { Committed } from '../../../ports/storage.ts'
import { isoTime } from '../../../shared/clock.ts'
import { type InboxRecord, imapMailboxOf } from '../../../storage/kinds/inboxes.ts'
import type { TenantId } from '../../../storage/records.ts'
import { settingsOfMailbox } from '../../addresses/mailbox-of-inbox.ts'
import { MailboxReader, type ReaderParts } from './mailbox-reader.ts'

/** Four polls: a process that dies is replaced by the next poll of another one after it. */
const leaseMs = 20_000
const mailboxPollMs = 5_000
/** The holder renews its lease in one poll and dies; the first poll of another process after the lease gets it. */
export const mailboxTakeoverMsMax = leaseMs + mailboxPollMs
const pageSize = 200
/** Connections of one process. */
const readersMax = 200
/** A connection that is younger is not ended for another one. */
const heldMsMin = 60_000
/** Mails that one process reads at the same time. */
const mailsAtOnce = 4
const stopWaitMs = 5_000

interface Mailbox {
  key: string
  tenantId: TenantId
  inbox: InboxRecord
}

type FetchParts = Pick<
  JobParts,
  'storage' | 'attachments' | 'budgets' | 'clock' | 'ids' | 'log' | 'secrets' | 'mailSource' | 'mailTokens'
>

/** Holds one connection for each mailbox: a lease decides which process has it. */
class MailFetching {
  readonly #parts: FetchParts
  readonly #readerParts: ReaderParts
  readonly #holder = randomUUID()
  readonly #readers = new Map<string, MailboxReader>()
  /** When a mailbox that waits was last read, so that those that wait for longest come first. */
  readonly #servedAtMs = new Map<string, number>()
  #isStopped = false

  constructor(parts: FetchParts) {
    this.#parts = parts
    this.#readerParts = { ...parts, slots: new FairSlots(mailsAtOnce) }
  }

  async poll(): Promise<void> {
    const wanted = await this.#listMailboxes()
    await Promise.all(
      [...this.#readers].map(async ([key, reader]) => {
        const inbox = wanted.get(key)?.inbox
        const isWanted = inbox !== undefined && settingsOfMailbox(inbox) === reader.settings
        if (!isWanted) await this.#end(key, reader)
        else if (!(await this.#takeLease(key))) reader.stop()
      }),
    )
    const waiting = [...wanted.values()].filter(({ key }) => !this.#readers.has(key))
    for (const mailbox of chooseNext(waiting, { held: this.#readers, servedAtMs: this.#servedAtMs })) {
      if (this.#isStopped || !(await this.#begin(mailbox))) return
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([...this.#readers].map(([key, reader]) => this.#end(key, reader)))
  }

  async #listMailboxes(): Promise<Map<string, Mailbox>> {
    const { system } = this.#parts.storage
    const found = new Map<string, Mailbox>()
    const suspended = new Map<string, boolean>()
    for (let after = ''; ; ) {
      const page = await system.across.imapMailboxes.behind(after, pageSize)
      for (const { tenantId, row: inbox } of page) {
        after = imapMailboxOf(inbox) ?? after
        if (!suspended.has(tenantId)) {
          const tenant = await system.findTenant(tenantId)
          suspended.set(tenantId, tenant === undefined || tenant.isSuspended)
        }
        if (!suspended.get(tenantId)) found.set(after, { key: after, tenantId, inbox })
      }
      if (page.length < pageSize) return found
    }
  }

  /** Returns false when this process has no capacity for a further mailbox. */
  async #begin(mailbox: Mailbox): Promise<boolean> {
    const { key } = mailbox
    if (this.#readers.size >= readersMax) {
      const { tenantId } = mailbox
      const victim = chooseVictim(this.#readers, { tenantId, nowMs: this.#parts.clock.nowMs(), heldMsMin })
      if (victim === undefined) return false
      if (!(await this.#takeLease(key))) return true
      const reader = this.#readers.get(victim)
      if (reader !== undefined) await this.#end(victim, reader)
    } else if (!(await this.#takeLease(key))) return true
    const reader = new MailboxReader(this.#readerParts, mailbox)
    this.#readers.set(key, reader)
    void reader.ended.then(() => {
      if (this.#readers.get(key) === reader) this.#readers.delete(key)
    })
    return true
  }

  /** Frees the mailbox only when its connection has ended. */
  async #end(key: string, reader: MailboxReader): Promise<void> {
    reader.stop()
    let timer: NodeJS.Timeout | undefined
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, stopWaitMs)
    })
    await Promise.race([reader.ended, waited])
    clearTimeout(timer)
    if (this.#readers.get(key) === reader) this.#readers.delete(key)
    this.#servedAtMs.set(key, this.#parts.clock.nowMs())
    await this.#parts.storage.system.releaseLease({ name: leaseName(key), holder: this.#holder })
  }

  #takeLease(key: string): Promise<boolean> {
    const { storage, clock } = this.#parts
    const now = isoTime(clock.nowMs())
    return storage.system.takeLease({ name: leaseName(key), holder: this.#holder, now, leaseMs })
  }
}

const leaseName = (key: string) => `imap ${key}`

function createFetchMail(parts: FetchParts): BackgroundJob {
  const fetching = new MailFetching(parts)
  return {
    runDue: async () => {
      await fetching.poll()
      return null
    },
    stop: () => fetching.stop(),
  }
}

/** The service's own reports about a mailbox write nothing but `email`. */
function changesMailboxes(write: Committed['change']['writes'][number]): boolean {
  if (write.kind === 'tenants') return true
  if (write.kind !== 'inboxes') return false
  return write.op !== 'update' || 'isActive' in write.set || 'mailSecrets' in write.set
}

/** Reads the mailboxes of inboxes over IMAP. */
export const fetchMail: JobDeclaration = {
  pollEveryMs: mailboxPollMs,
  backlog: { none: 'mail waits at its own server, and each inbox shows when its mailbox was read last' },
  wakes: {
    on: ['inboxes', 'tenants'],
    ask({ change }: Committed, wake) {
      if (change.writes.some(changesMailboxes)) wake()
    },
  },
  make: createFetchMail,
}

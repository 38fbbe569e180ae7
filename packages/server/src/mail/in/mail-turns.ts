import { randomUUID } from 'node:crypto'
import { type QueueHead, QueueTurns } from '../../fairness/queue-turns.ts'
import { createRoundRobin } from '../../features/conversations/choose-assignee.ts'
import { type BackgroundJob, type JobDeclaration, pollEveryMs } from '../../jobs/background-job.ts'
import { isoTime } from '../../shared/clock.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import type { TenantId } from '../../storage/records.ts'
import { MailRefused } from '../parse/mail-refused.ts'
import { createMailParser, processesDefault } from '../parser-process/mail-parser.ts'
import { oldestWaitingMail } from './oldest-waiting-mail.ts'
import { type Mail, type ProcessParts, postpone, processMail, unlessChanged } from './process-mails.ts'

const leaseName = 'mails'
/** After a crash another process, or the next start, goes on after this time. */
const leaseMs = 10_000
/** A mail may take longer to read than the lease. */
const renewEveryMs = 3_000
export const firstTryMs = 5_000
const secondTryMs = 30_000
const slowMax = 10_000
const unavailableWaitMs = 60_000

/**
 * Makes messages of the mails that arrived, in one process. Tenants alternate, and the inboxes of each: a tenant has one of the
 * parsers at a time, so its mails keep their order. A mail that takes longer than its first try is read again behind the other
 * mails of its inbox, and one parser is always kept for first tries.
 */
function createProcessMails(parts: ProcessParts): BackgroundJob {
  const { storage, clock, log, parser } = parts
  const { system } = storage
  const { dueMails } = system.across
  const holder = randomUUID()
  const turns = new QueueTurns(async (behind) => {
    const found = await dueMails.first(behind)
    return found && { tenantId: found.tenantId, key: found.columns.mailQueue, dueAt: found.columns.dueAt }
  })
  /** The work for each tenant that has a parser. */
  const busy = new Map<TenantId, Promise<void>>()
  const slow = new SlowMails()
  /** Mails that could not be stored, with the time of their next try: not even that could be stored. */
  const held = new Map<string, number>()
  let isHolder = false
  let heldAtMs = 0
  let isStopped = false
  let notify = () => {}

  async function takeLease(): Promise<boolean> {
    const nowMs = clock.nowMs()
    isHolder = await system.takeLease({ name: leaseName, holder, now: isoTime(nowMs), leaseMs })
    heldAtMs = nowMs
    return isHolder
  }

  async function holdLease(): Promise<boolean> {
    const ageMs = clock.nowMs() - heldAtMs
    return (isHolder && ageMs >= 0 && ageMs < renewEveryMs) || takeLease()
  }

  /** Returns the next mail of a queue that may be read now. */
  async function take({ tenantId, key }: QueueHead<TenantId>): Promise<Taken | undefined> {
    const nowMs = clock.nowMs()
    for (const [id, untilMs] of held) if (untilMs <= nowMs) held.delete(id)
    const found = await dueMails.of(key, 1 + held.size)
    const mail = found.find(
      ({ row: { _id, dueAt } }) => !held.has(_id) && (dueAt ?? '') <= isoTime(nowMs),
    )?.row
    return mail === undefined || !slow.mayBegin(mail._id) ? undefined : { tenantId, mail }
  }

  async function work({ tenantId, mail }: Taken): Promise<void> {
    const store = storage.forTenant(tenantId)
    const jobMs = slow.begin(mail._id)
    try {
      await processMail(parts, { tenantId, mail, jobMs, isLast: jobMs > firstTryMs })
    } catch (error) {
      if (error instanceof MailRefused) {
        slow.add(mail._id)
        await postpone(store, mail, clock.nowMs()).catch(unlessChanged)
        return
      }
      if (!(error instanceof StorageUnavailable)) throw error
      // Such as a mail whose files have no space on the disk: it holds up no other one.
      log.warn({ err: error, mailId: mail._id }, 'A mail waits, because it cannot be stored')
      held.set(mail._id, clock.nowMs() + unavailableWaitMs)
    } finally {
      slow.end(mail._id)
    }
  }

  /** Begins to read the next mail. Returns false when there is none. */
  async function beginNext(): Promise<boolean> {
    if (isStopped || busy.size >= processesDefault) return false
    const taken = await turns.next({
      now: isoTime(clock.nowMs()),
      mayTake: (tenantId) => !busy.has(tenantId),
      take,
    })
    if (taken === undefined || isStopped || !(await holdLease())) return false
    const { tenantId, mail } = taken
    const done = work(taken)
      .catch((err: unknown) => {
        // The database is away for this mail in every way: it waits as one that cannot be stored.
        log.error({ err, mailId: mail._id }, 'A mail could not be processed')
        held.set(mail._id, clock.nowMs() + unavailableWaitMs)
      })
      .finally(() => {
        busy.delete(tenantId)
        notify()
      })
    busy.set(tenantId, done)
    return true
  }

  return {
    runDue: async () => {
      for (;;) {
        const { promise: news, resolve } = Promise.withResolvers<void>()
        notify = resolve
        while (await beginNext()) {}
        if (busy.size === 0) return null
        // Another tenant's mail may arrive while one is read.
        const timer = setTimeout(resolve, pollEveryMs)
        await news
        clearTimeout(timer)
        if (isHolder) await holdLease()
      }
    },
    stop: async () => {
      isStopped = true
      await Promise.all(busy.values())
      await parser.close()
      if (isHolder) await system.releaseLease({ name: leaseName, holder })
    },
    onCommitted: () => notify(),
  }
}

interface Taken {
  tenantId: TenantId
  mail: Mail
}

/** Mails that took longer than their first try. They are forgotten with the process: another one tries them in the same way. */
class SlowMails {
  readonly #waiting = new Set<string>()
  readonly #running = new Set<string>()

  mayBegin(id: string): boolean {
    return !this.#waiting.has(id) || this.#running.size < processesDefault - 1
  }

  /** Returns how long the mail may take. */
  begin(id: string): number {
    if (!this.#waiting.has(id)) return firstTryMs
    this.#running.add(id)
    return secondTryMs
  }

  add(id: string): void {
    if (this.#waiting.size >= slowMax) this.#waiting.clear()
    this.#waiting.add(id)
  }

  end(id: string): void {
    if (this.#running.delete(id)) this.#waiting.delete(id)
  }
}

export const processMails: JobDeclaration = {
  pollEveryMs,
  backlog: {
    waits: 'mails that arrived and are in no conversation yet',
    lateAfterMinutes: 5,
    oldestDue: oldestWaitingMail,
  },
  wakes: {
    on: ['inboundMails'],
    ask({ change }, wake) {
      const isAdded = change.writes.some(
        (write) =>
          write.kind === 'inboundMails' &&
          (write.op === 'insert' || (write.op === 'update' && write.set.status === 'received')),
      )
      if (isAdded) wake()
    },
  },
  make: ({ storage, attachments, clock, ids, log, secrets, mail, meters }) =>
    createProcessMails({
      storage,
      attachments,
      clock,
      ids,
      log,
      secrets,
      mail,
      meters,
      parser: createMailParser({ spool: attachments.spool }),
      roundRobin: createRoundRobin(),
    }),
}

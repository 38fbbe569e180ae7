import { hash } from 'node:crypto'
import { Failure } from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { Clock } from '../ports/clock.ts'
import type { DiskSpace } from '../ports/disk-space.ts'
import type { Meters } from '../ports/meters.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import type { Reservation, RowQuotas } from '../ports/row-quotas.ts'
import type { Committed, Storage } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import { dayOf, inboundMailBytesPerDay, limitOf, unlimited } from '../storage/kinds/quotas.ts'
import type { TenantLimits } from '../storage/kinds/tenants.ts'
import type { TenantId } from '../storage/records.ts'
import { refuse, secondsOfDayLeft } from './budgets.ts'
import { UseEstimate } from './use-estimate.ts'
import { type HeldBytes, WaitingBytes } from './waiting-bytes.ts'

/** Bodies of mails that doors hold in memory until their response. */
const waitingBytesMax = 160 * 1024 * 1024
const estimatesMax = 50_000
const hourMs = 60 * 60_000
const fullSeconds = 60
const hourSeconds = 3600

export interface MailBudgetParts {
  storage: Pick<Storage, 'forTenant'> & { system: Pick<Storage['system'], 'findTenant'> }
  quotas: RowQuotas
  limiter: RateLimiter
  disk: Pick<DiskSpace, 'isLow'>
  meters: Pick<Meters, 'budgetRefused'>
  clock: Clock
  /** Mails an hour of one address in From to one inbox; 0: any number. */
  mailsPerSender: number
}

export interface ArrivingMail {
  tenantId: TenantId
  inboxId: string
  bytes: number
  /** The rows that it needs. */
  writes: readonly Write[]
}

interface DayUse {
  tenantId: TenantId
  /** Undefined: of all inboxes. */
  inboxId?: string
  limit: number
}

/** The budgets of incoming mail, which all doors share. They are kept without a counter in the database: see `UseEstimate`. */
export class MailBudgets {
  readonly #parts: MailBudgetParts
  readonly #estimates = new Map<string, UseEstimate>()
  readonly #waiting = new WaitingBytes(waitingBytesMax)
  #day = ''

  constructor(parts: MailBudgetParts) {
    this.#parts = parts
  }

  /** Throws `BudgetSpent` while the disk has little space. */
  assertDisk(): void {
    if (this.#parts.disk.isLow())
      throw this.#refuse('diskFree', 'The service has too little space now', fullSeconds)
  }

  /** Holds the memory for a body. Bytes that do not fit are the caller's to refuse, with `refuseBody`. */
  hold(tenantId: string): HeldBytes {
    return this.#waiting.hold(tenantId)
  }

  refuseBody(): Error {
    return this.#refuse('waitingBodies', 'Too many mails arrive at the same time', 5)
  }

  /** Admits a mail; the caller ends the reservation after its commit. Throws `BudgetSpent`. */
  async admit(mail: ArrivingMail): Promise<Reservation> {
    this.assertDisk()
    const { storage, quotas } = this.#parts
    const tenantLimits = (await storage.system.findTenant(mail.tenantId))?.limits
    const days = await this.#admitToDay(mail, tenantLimits)
    try {
      const rows = await quotas.admit({ tenantId: mail.tenantId, tenantLimits }, mail.writes)
      return endOf(rows === undefined ? days : [...days, rows])
    } catch (error) {
      endOf(days).end()
      if (!(error instanceof Failure)) throw error
      throw this.#refuse('inboundMailBytes', 'The organization has no space for further mail', hourSeconds)
    }
  }

  /** Returns when a mail is read (ms since 1970): later than now for the many of one sender. */
  async readAtMs({ inboxId, from }: { inboxId: string; from: string | null }): Promise<number> {
    const { limiter, clock, mailsPerSender: requests } = this.#parts
    const nowMs = clock.nowMs()
    if (from === null || requests === 0) return nowMs
    // Counters may be in another process: an address does not leave this one.
    const sender = hash('sha256', from, 'base64url').slice(0, 22)
    const cell = `mail-sender:${inboxId}:${sender}`
    const state = await limiter.take([{ name: 'mail-sender', cell, requests, windowMs: hourMs }])
    if (!state.isRefused) return nowMs
    this.#parts.meters.budgetRefused('mailsPerSender')
    return nowMs + state.resetInMs
  }

  #refuse(budget: Parameters<typeof refuse>[1], message: string, retrySeconds: number): Error {
    return refuse(this.#parts.meters, budget, { message, retrySeconds })
  }

  async #admitToDay(
    { tenantId, inboxId, bytes }: ArrivingMail,
    tenantLimits: TenantLimits | undefined,
  ): Promise<Reservation[]> {
    const given = limitOf(inboundMailBytesPerDay.name, tenantLimits)
    const limit = given === unlimited ? Number.POSITIVE_INFINITY : given
    const uses: DayUse[] = [
      { tenantId, limit },
      { tenantId, inboxId, limit: limit / 2 },
    ]
    if (limit === Number.POSITIVE_INFINITY) return []
    for (const use of uses) {
      const estimate = this.#estimateOf(use)
      if (await estimate.admits(bytes, use.limit)) continue
      const seconds = secondsOfDayLeft(this.#parts.clock.nowMs())
      throw this.#refuse('inboundMailBytesPerDay', 'Too much mail arrives on this day', seconds)
    }
    return uses.map((use) => this.#estimateOf(use).reserve(bytes))
  }

  #estimateOf({ tenantId, inboxId }: Omit<DayUse, 'limit'>): UseEstimate {
    const { storage, clock } = this.#parts
    const { name } = inboundMailBytesPerDay
    const since = dayOf(name, isoTime(clock.nowMs())) ?? ''
    if (since !== this.#day || this.#estimates.size >= estimatesMax) this.#estimates.clear()
    this.#day = since
    const key = `${tenantId} ${inboxId ?? ''}`
    const of = { since, ...(inboxId !== undefined && { inboxId }) }
    const known = this.#estimates.get(key)
    const estimate = known ?? new UseEstimate(() => storage.forTenant(tenantId).usedOf(name, of))
    if (known === undefined) this.#estimates.set(key, estimate)
    return estimate
  }

  /** Notes the mails of a commit of this process. */
  note({ tenantId, change }: Committed): void {
    for (const write of change.writes) {
      if (write.op !== 'insert' || write.kind !== 'inboundMails') continue
      const { inboxId, sizeBytes } = write.row
      if (sizeBytes > inboundMailBytesPerDay.max) continue
      for (const key of [`${tenantId} `, `${tenantId} ${inboxId}`]) this.#estimates.get(key)?.add(sizeBytes)
    }
  }
}

function endOf(reservations: readonly Reservation[]): Reservation {
  return {
    end: () => {
      for (const reservation of reservations) reservation.end()
    },
  }
}

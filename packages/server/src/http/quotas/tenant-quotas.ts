import { Failure, type QuotaUse } from '@crmkit/core'
import { atMost, countWaitMaxMs, UseEstimate } from '../../fairness/use-estimate.ts'
import type { Write } from '../../ports/change.ts'
import type { Meters } from '../../ports/meters.ts'
import type { LimitedTenant, Reservation, RowQuotas } from '../../ports/row-quotas.ts'
import type { Committed, Storage } from '../../ports/storage.ts'
import {
  limitOf,
  type QuotaRule,
  quotaRules,
  quotaRulesByKind,
  unlimited,
} from '../../storage/kinds/quotas.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import type { TenantId } from '../../storage/records.ts'

const estimatesMax = 50_000

interface Need {
  rule: QuotaRule
  amount: number
  limit: number
}

/**
 * The quotas of all tenants, as this process enforces them. No commit writes a counter that a tenant shares: each
 * process estimates the use from counts of the rows and its own commits. One process alone stays within a limit;
 * further ones may exceed it together by what they write between two counts.
 */
export class TenantQuotas implements RowQuotas {
  readonly #storage: Storage
  readonly #meters: Pick<Meters, 'quotaRefused'>
  readonly #estimates = new Map<string, UseEstimate>()

  constructor(storage: Storage, meters: Pick<Meters, 'quotaRefused'>) {
    this.#storage = storage
    this.#meters = meters
    storage.onCommitted((commit) => this.#noteCommitted(commit))
  }

  /**
   * Admits the new rows of a change; undefined when no quota limits them. The caller ends the reservation after its
   * commit. Throws QUOTA_EXCEEDED, after a new count, when one of them is beyond a limit.
   */
  admit(tenant: LimitedTenant, writes: readonly Write[]): Reservation | undefined | Promise<Reservation> {
    const needs = needsOf(tenant, writes)
    if (needs === undefined) return undefined
    if (needs.every((need) => this.#fits(tenant, need))) return this.#reserve(tenant, needs)
    return this.#admitCounted(tenant, needs)
  }

  /** Returns the use and the limit of every quota. Rows of other processes may be missing for a minute. */
  async use({ tenantId, tenantLimits }: LimitedTenant): Promise<Record<string, QuotaUse>> {
    const uses = quotaRules.map(async ({ name }) => {
      const estimate = this.#estimateOf(tenantId, name)
      if (estimate.isOutdated()) await estimate.countAnew()
      return [name, { used: estimate.used ?? 0, limit: limitOf(name, tenantLimits) }] as const
    })
    return Object.fromEntries(await Promise.all(uses))
  }

  #estimateOf(tenantId: TenantId, quota: string): UseEstimate {
    const key = keyOf(tenantId, quota)
    const known = this.#estimates.get(key)
    if (known !== undefined) return known
    const estimate = new UseEstimate(() => this.#storage.forTenant(tenantId).usedOf(quota))
    if (this.#estimates.size >= estimatesMax) this.#estimates.clear()
    this.#estimates.set(key, estimate)
    return estimate
  }

  #fits({ tenantId }: LimitedTenant, { rule, amount, limit }: Need): boolean {
    if (limit === Number.POSITIVE_INFINITY) return true
    return this.#estimateOf(tenantId, rule.name).fits(amount, limit)
  }

  #reserve({ tenantId }: LimitedTenant, needs: readonly Need[]): Reservation {
    const reservations = needs.map(({ rule, amount, limit }) => {
      const estimate = this.#estimateOf(tenantId, rule.name)
      if (limit !== Number.POSITIVE_INFINITY) estimate.refresh(limit)
      return estimate.reserve(amount)
    })
    return {
      end: () => {
        for (const reservation of reservations) reservation.end()
      },
    }
  }

  async #admitCounted(tenant: LimitedTenant, needs: readonly Need[]): Promise<Reservation> {
    const uncertain = needs.filter((need) => !this.#fits(tenant, need))
    const counts = uncertain.map(({ rule }) => this.#estimateOf(tenant.tenantId, rule.name).countAnew())
    await atMost(countWaitMaxMs, Promise.all(counts))
    for (const need of needs) this.#assertFits(tenant, need)
    return this.#reserve(tenant, needs)
  }

  #assertFits({ tenantId }: LimitedTenant, { rule: { name }, amount, limit }: Need): void {
    const estimate = this.#estimateOf(tenantId, name)
    // Undefined after a first count that takes too long: the write is admitted.
    const { used } = estimate
    if (used === undefined || estimate.fits(amount, limit)) return
    this.#meters.quotaRefused(name)
    throw quotaExceeded({ name, limit, used })
  }

  #noteCommitted({ tenantId, change }: Committed): void {
    for (const write of change.writes) {
      // An erasure also deletes rows of other kinds.
      const rules = write.op === 'erase' ? quotaRules : (quotaRulesByKind.get(write.kind) ?? [])
      for (const rule of rules) {
        const estimate = this.#estimates.get(keyOf(tenantId, rule.name))
        if (estimate !== undefined) noteWrite(estimate, rule, write)
      }
    }
  }
}

function keyOf(tenantId: TenantId, quota: string): string {
  return `${tenantId} ${quota}`
}

function noteWrite(estimate: UseEstimate, rule: QuotaRule, write: Write<Kind>): void {
  if (write.op === 'insert') estimate.add(countsTo(rule, write.row) ? amountOf(rule, write.row) : 0)
  else if (write.op === 'erase') {
    if (rule.name === write.kind) estimate.add(-1)
    estimate.noteUnknown()
  } else if (write.op === 'remove' && rule.field === null) estimate.add(-1)
  // The earlier size of the row is unknown here.
  else if (rule.field !== null) estimate.noteUnknown()
}

function amountOf({ field }: QuotaRule, row: object): number {
  return field === null ? 1 : Number((row as Readonly<Record<string, unknown>>)[field])
}

function needsOf({ tenantLimits }: LimitedTenant, writes: readonly Write<Kind>[]): Need[] | undefined {
  let needs: Need[] | undefined
  for (const write of writes) {
    if (write.op !== 'insert') continue
    for (const rule of quotaRulesByKind.get(write.kind) ?? []) {
      if (!countsTo(rule, write.row)) continue
      const limit = numberOf(tenantLimits?.[rule.name] ?? rule.limit)
      const amount = amountOf(rule, write.row)
      needs ??= []
      const same = needs.find((need) => need.rule === rule)
      if (same) same.amount += amount
      else needs.push({ rule, amount, limit })
    }
  }
  return needs
}

/** Rows without a limit are not counted for the write, but they change a use that is known. */
function numberOf(limit: number): number {
  return limit === unlimited ? Number.POSITIVE_INFINITY : limit
}

function quotaExceeded(details: { name: string; limit: number; used: number }): Failure {
  const { name, limit, used } = details
  return new Failure('QUOTA_EXCEEDED', `The tenant uses ${used} of at most ${limit} ${name}`, { details })
}

/** Whether a row counts to a sum. */
function countsTo({ having, lacking }: QuotaRule, row: object): boolean {
  const fields = row as Readonly<Record<string, unknown>>
  return (having === null || fields[having] != null) && lacking.every((field) => fields[field] == null)
}

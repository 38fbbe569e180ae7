import type { Operation } from '@crmkit/core'
import type { Clock } from '../../ports/clock.ts'
import type { SystemStore, UsageIncrement } from '../../ports/system-store.ts'
import type { TenantId } from '../../storage/records.ts'
import type { Authenticated } from '../credentials/credential-kind.ts'
import { monthAt } from './month-at.ts'
import { PeriodicWriter } from './periodic-writer.ts'

/** Counts that cannot be written for so long are dropped before they fill the memory. */
const unwrittenMax = 100_000

type Counts = Map<Operation, number>
/** Empty key: signed-in users. */
type CountsByKey = Map<string, Counts>

interface CountedRequests {
  /** Null for all requests of the tenant. */
  key: string | null
  operation: Operation
  requests: number
}

/**
 * Counts the requests of each tenant and key by operation, in memory, and adds them to the stored counters every
 * second: no request waits for it, and none writes.
 */
export class UsageRecorder extends PeriodicWriter {
  readonly #system: Pick<SystemStore, 'addUsage'>
  readonly #clock: Clock
  readonly #onDropped: (increments: number) => void
  #counts = new Map<TenantId, CountsByKey>()
  #unwritten: readonly UsageIncrement[] = []
  /** Requests of one month only are in `#counts`. */
  #month = { month: '', endsAtMs: 0 }

  constructor(
    system: Pick<SystemStore, 'addUsage'>,
    { clock, onDropped }: { clock: Clock; onDropped: (increments: number) => void },
  ) {
    super()
    this.#system = system
    this.#clock = clock
    this.#onDropped = onDropped
  }

  record({ tenantId, actor }: Authenticated, operation: Operation): void {
    const nowMs = this.#clock.nowMs()
    if (nowMs >= this.#month.endsAtMs) this.#beginMonth(nowMs)
    let byKey = this.#counts.get(tenantId)
    if (byKey === undefined) {
      byKey = new Map()
      this.#counts.set(tenantId, byKey)
    }
    const key = actor.type === 'apiKey' ? actor._id : ''
    let counts = byKey.get(key)
    if (counts === undefined) {
      counts = new Map()
      byKey.set(key, counts)
    }
    counts.set(operation, (counts.get(operation) ?? 0) + 1)
  }

  protected override async write(): Promise<void> {
    this.#collect()
    if (this.#unwritten.length === 0) return
    const increments = this.#unwritten
    this.#unwritten = []
    const failed = await this.#system.addUsage(increments)
    const waiting = [...failed, ...this.#unwritten]
    if (waiting.length > unwrittenMax) this.#onDropped(waiting.length - unwrittenMax)
    this.#unwritten = waiting.slice(0, unwrittenMax)
  }

  #beginMonth(nowMs: number): void {
    this.#collect()
    this.#month = monthAt(nowMs)
  }

  /** Turns the counts into increments: each request counts for its key and for its tenant. */
  #collect(): void {
    if (this.#counts.size === 0) return
    const counted = this.#counts
    this.#counts = new Map()
    const increments: UsageIncrement[] = [...this.#unwritten]
    for (const [tenantId, byKey] of counted) {
      const ofTenant: Counts = new Map()
      for (const [key, counts] of byKey) {
        for (const [operation, requests] of counts) {
          ofTenant.set(operation, (ofTenant.get(operation) ?? 0) + requests)
          if (key !== '') increments.push(this.#increment(tenantId, { key, operation, requests }))
        }
      }
      for (const [operation, requests] of ofTenant)
        increments.push(this.#increment(tenantId, { key: null, operation, requests }))
    }
    this.#unwritten = increments
  }

  #increment(tenantId: TenantId, { key, operation, requests }: CountedRequests): UsageIncrement {
    const { method, path } = operation
    return { tenantId, month: this.#month.month, apiKeyId: key, method, path, requests }
  }
}

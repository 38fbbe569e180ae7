import type { Operation } from '@crmkit/core'
import type { Clock } from '../../ports/clock.ts'
import type { RequestMetricsIncrement, SystemStore, UsageIncrement } from '../../ports/system-store.ts'
import type { TenantId } from '../../storage/records.ts'
import { addResponseTimes, bucketCount, bucketOf } from '../../storage/response-times.ts'
import type { Authenticated } from '../credentials/credential-kind.ts'
import { monthAt } from './month-at.ts'
import { PeriodicWriter } from './periodic-writer.ts'
import type { KeyUse } from './record-key-use.ts'

/** Counts that cannot be written for so long are dropped before they fill the memory. */
const usageMax = 100_000
const metricsMax = 10_000

interface Parts {
  clock: Clock
  onDropped(increments: number): void
  /** Called for each key that was used since the last write. */
  onKeyUsed(use: KeyUse): void
}

type System = Pick<SystemStore, 'addUsage' | 'addRequestMetrics'>

/** How a request with a valid credential ended. */
export interface Outcome {
  /** 0 without a response. */
  status: number
  /** Undefined for a response that lasts as long as its client: it is counted only. */
  ms?: number
  /** Whether the caller was within the limits and authorized. */
  isAdmitted: boolean
}

/** The requests of one credential since the last write. */
class CredentialCounts {
  readonly byOperation = new Map<Operation, number>()
  usedAtMs: number | undefined = undefined
}

/** The requests of one tenant since the last write. */
class TenantCounts {
  requests = 0
  successful = 0
  failed = 0
  timed = 0
  totalMs = 0
  readonly times = new Uint32Array(bucketCount)
  /** By the id of the key; empty for signed-in users. */
  readonly byKey = new Map<string, CredentialCounts>()

  add({ status, ms }: Outcome): void {
    this.requests += 1
    if (status >= 400) this.failed += 1
    else if (status >= 200 && status < 300) this.successful += 1
    if (ms === undefined) return
    const bucket = bucketOf(ms)
    this.timed += 1
    this.totalMs += ms
    this.times[bucket] = (this.times[bucket] ?? 0) + 1
  }

  ofCredential({ actor }: Authenticated): CredentialCounts {
    const key = actor.type === 'apiKey' ? actor._id : ''
    let counts = this.byKey.get(key)
    if (counts === undefined) {
      counts = new CredentialCounts()
      this.byKey.set(key, counts)
    }
    return counts
  }

  metrics(tenantId: TenantId, month: string): RequestMetricsIncrement {
    const { requests, successful, failed, timed, totalMs } = this
    const buckets: Record<string, number> = {}
    for (const [bucket, count] of this.times.entries()) if (count > 0) buckets[bucket] = count
    return { tenantId, month, requests, successful, failed, timed, totalMs, buckets }
  }

  /** Each request counts for its key and for its tenant. */
  usage(tenantId: TenantId, month: string): UsageIncrement[] {
    const ofTenant = new Map<Operation, number>()
    const increments: UsageIncrement[] = []
    const push = (apiKeyId: string | null, { method, path }: Operation, requests: number) =>
      increments.push({ tenantId, month, apiKeyId, method, path, requests })
    for (const [key, { byOperation }] of this.byKey) {
      for (const [operation, requests] of byOperation) {
        ofTenant.set(operation, (ofTenant.get(operation) ?? 0) + requests)
        if (key !== '') push(key, operation, requests)
      }
    }
    for (const [operation, requests] of ofTenant) push(null, operation, requests)
    return increments
  }
}

/**
 * The one place that counts requests for their tenants: by key and operation, with outcomes and response times. It counts in
 * memory and adds to the stored counters every second, so that no request waits for it and none writes.
 */
export class RequestRecorder extends PeriodicWriter {
  readonly #system: System
  readonly #parts: Parts
  #counted = new Map<TenantId, TenantCounts>()
  #usage: readonly UsageIncrement[] = []
  /** By tenant and month, so that a storage that fails for long costs no more memory for each second. */
  #metrics = new Map<string, RequestMetricsIncrement>()
  /** Requests of one month only are in `#counted`. */
  #month = { month: '', endsAtMs: 0 }

  constructor(system: System, parts: Parts) {
    super()
    this.#system = system
    this.#parts = parts
  }

  record(caller: Authenticated, operation: Operation, outcome: Outcome): void {
    const nowMs = this.#parts.clock.nowMs()
    if (nowMs >= this.#month.endsAtMs) this.#beginMonth(nowMs)
    let counts = this.#counted.get(caller.tenantId)
    if (counts === undefined) {
      counts = new TenantCounts()
      this.#counted.set(caller.tenantId, counts)
    }
    counts.add(outcome)
    const ofCredential = counts.ofCredential(caller)
    const { byOperation } = ofCredential
    byOperation.set(operation, (byOperation.get(operation) ?? 0) + 1)
    if (outcome.isAdmitted) ofCredential.usedAtMs = nowMs
  }

  #beginMonth(nowMs: number): void {
    this.#collect()
    this.#month = monthAt(nowMs)
  }

  #collect(): void {
    const counted = this.#counted
    if (counted.size === 0) return
    this.#counted = new Map()
    const { month } = this.#month
    const usage = [...this.#usage]
    for (const [tenantId, counts] of counted) {
      this.#keep(counts.metrics(tenantId, month))
      usage.push(...counts.usage(tenantId, month))
      for (const [id, { usedAtMs }] of counts.byKey)
        if (id !== '' && usedAtMs !== undefined) this.#parts.onKeyUsed({ tenantId, id, atMs: usedAtMs })
    }
    this.#usage = usage
  }

  #keep(more: RequestMetricsIncrement): void {
    const key = `${more.month} ${more.tenantId}`
    const known = this.#metrics.get(key)
    if (known === undefined && this.#metrics.size >= metricsMax) this.#parts.onDropped(1)
    else this.#metrics.set(key, known === undefined ? more : sumOf(known, more))
  }

  protected override async write(): Promise<void> {
    this.#collect()
    await Promise.all([this.#writeUsage(), this.#writeMetrics()])
  }

  async #writeUsage(): Promise<void> {
    const increments = this.#usage
    if (increments.length === 0) return
    this.#usage = []
    const failed = await this.#system.addUsage(increments)
    const waiting = [...failed, ...this.#usage]
    if (waiting.length > usageMax) this.#parts.onDropped(waiting.length - usageMax)
    this.#usage = waiting.slice(0, usageMax)
  }

  async #writeMetrics(): Promise<void> {
    const increments = [...this.#metrics.values()]
    if (increments.length === 0) return
    this.#metrics = new Map()
    for (const failed of await this.#system.addRequestMetrics(increments)) this.#keep(failed)
  }
}

function sumOf(one: RequestMetricsIncrement, more: RequestMetricsIncrement): RequestMetricsIncrement {
  return {
    ...one,
    requests: one.requests + more.requests,
    successful: one.successful + more.successful,
    failed: one.failed + more.failed,
    ...addResponseTimes(one, more),
  }
}

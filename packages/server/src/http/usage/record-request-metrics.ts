import type { Clock } from '../../ports/clock.ts'
import type { RequestMetricsIncrement, SystemStore } from '../../ports/system-store.ts'
import type { TenantId } from '../../storage/records.ts'
import { addResponseTimes, bucketCount, bucketOf } from '../../storage/response-times.ts'
import { monthAt } from './month-at.ts'
import { PeriodicWriter } from './periodic-writer.ts'

/** Increments that cannot be written for so long are dropped before they fill the memory. */
const unwrittenMax = 10_000

interface Parts {
  clock: Clock
  onDropped(increments: number): void
}

type System = Pick<SystemStore, 'addRequestMetrics'>

/** The requests of one tenant since the last flush. */
class TenantMetrics {
  requests = 0
  successful = 0
  failed = 0
  timed = 0
  totalMs = 0
  readonly counts = new Uint32Array(bucketCount)

  increment(tenantId: TenantId, month: string): RequestMetricsIncrement {
    const { requests, successful, failed, timed, totalMs } = this
    const buckets: Record<string, number> = {}
    for (const [bucket, count] of this.counts.entries()) if (count > 0) buckets[bucket] = count
    return { tenantId, month, requests, successful, failed, timed, totalMs, buckets }
  }
}

/**
 * Counts outcomes and response times of each tenant in memory, and adds them to the stored ones every second: a request
 * costs a look-up in a map and an increment in an array.
 */
export class RequestMetricsRecorder extends PeriodicWriter {
  readonly #system: System
  readonly #parts: Parts
  #counted = new Map<TenantId, TenantMetrics>()
  /** By tenant and month, so that a storage that fails for long costs no more memory for each second. */
  #unwritten = new Map<string, RequestMetricsIncrement>()
  #month = { month: '', endsAtMs: 0 }

  constructor(system: System, parts: Parts) {
    super()
    this.#system = system
    this.#parts = parts
  }

  /** `status` is 0 for a request that ended without a response; without a time the request is counted only. */
  record(tenantId: TenantId, status: number, responseTimeMs?: number): void {
    const nowMs = this.#parts.clock.nowMs()
    if (nowMs >= this.#month.endsAtMs) this.#beginMonth(nowMs)
    let metrics = this.#counted.get(tenantId)
    if (metrics === undefined) {
      metrics = new TenantMetrics()
      this.#counted.set(tenantId, metrics)
    }
    metrics.requests += 1
    if (status >= 400) metrics.failed += 1
    else if (status >= 200 && status < 300) metrics.successful += 1
    if (responseTimeMs === undefined) return
    const bucket = bucketOf(responseTimeMs)
    metrics.timed += 1
    metrics.totalMs += responseTimeMs
    metrics.counts[bucket] = (metrics.counts[bucket] ?? 0) + 1
  }

  #beginMonth(nowMs: number): void {
    this.#collect()
    this.#month = monthAt(nowMs)
  }

  #collect(): void {
    const counted = this.#counted
    this.#counted = new Map()
    for (const [tenantId, metrics] of counted) this.#keep(metrics.increment(tenantId, this.#month.month))
  }

  #keep(more: RequestMetricsIncrement): void {
    const key = `${more.month} ${more.tenantId}`
    const known = this.#unwritten.get(key)
    if (known === undefined && this.#unwritten.size >= unwrittenMax) this.#parts.onDropped(1)
    else this.#unwritten.set(key, known === undefined ? more : sumOf(known, more))
  }

  protected override async write(): Promise<void> {
    this.#collect()
    if (this.#unwritten.size === 0) return
    const increments = [...this.#unwritten.values()]
    this.#unwritten = new Map()
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

import { randomUUID } from 'node:crypto'
import type { IdFactory } from '@crmkit/core'
import type { BackgroundJob, WakeJob } from '../jobs/background-job.ts'
import type { Log } from '../ports/log.ts'
import type { DeliveryOutcome, Meters } from '../ports/meters.ts'
import type { Committed, Storage } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import { passFaultPoint } from '../shared/fault-points.ts'
import { StorageUnavailable } from '../storage/errors.ts'
import type { AttemptResult, ClaimedAttempt } from '../storage/records.ts'
import {
  type AttemptOutcome,
  type AttemptParts,
  attemptDelivery,
  attemptTimeoutMs,
  isGone,
} from './attempt-delivery.ts'
import { notPrepared, toAttemptResult } from './attempt-result.ts'
import { deactivateWebhook } from './deactivate-webhook.ts'
import { type DeliveryLimits, defaultDeliveryLimits, FreshLimit } from './delivery-limits.ts'
import { disableFailing } from './disable-failing.ts'
import { QueueFinder } from './queue-finder.ts'
import { type Queue, type QueuePick, QueueRotation } from './queue-rotation.ts'
import { ResultWriter } from './result-writer.ts'

// Long enough for one attempt and its result, short enough that a crash delays little.
const leaseMs = 15_000
const writeMarginMs = 1500
/** How long a queue rests after its claim failed. */
const pauseMs = 1000

/** How often slots that are all occupied are checked again while no attempt ends. */
const freshWatchMs = 25

export interface DeliverDueParts extends AttemptParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  wake: WakeJob
  ids: IdFactory
  log: Log
  meters: Pick<Meters, 'deliveryEnded'>
  limits?: Partial<DeliveryLimits>
}

export interface DeliverDue extends BackgroundJob {
  /** Notes whose delivery queues to read first; without it the walk over all delivery queues finds them a little later. */
  onCommitted(commit: Committed): void
}

interface Run {
  deliveryQueue: Queue
  startedAt: number
}

/** Claims due attempts, fairly over tenants and webhooks, and makes them. */
export function createDeliverDue(parts: DeliverDueParts): DeliverDue {
  const deliveries = new Deliveries(parts)
  return {
    runDue: () => deliveries.runDue(),
    stop: () => deliveries.stop(),
    onCommitted: (commit) => deliveries.onCommitted(commit),
  }
}

class Deliveries {
  readonly #parts: DeliverDueParts
  readonly #limits: DeliveryLimits
  readonly #writer: ResultWriter
  readonly #rotation: QueueRotation
  readonly #finder: QueueFinder
  readonly #freshLimit: FreshLimit
  /** By tenant and attempt. */
  readonly #running = new Map<string, ClaimedAttempt>()
  /** The youngest of the running attempts, in the order of their start. */
  readonly #fresh = new Set<Run>()
  /** No attempt begins until results are written. */
  #isPaused = false
  #freshTimer: NodeJS.Timeout | undefined
  #claiming: Promise<void> | undefined
  #isClaimAsked = false
  #isStopped = false
  #onIdle: (() => void) | undefined

  constructor(parts: DeliverDueParts) {
    this.#parts = parts
    this.#limits = { ...defaultDeliveryLimits, ...parts.limits }
    this.#rotation = new QueueRotation(this.#limits)
    this.#freshLimit = new FreshLimit(this.#limits)
    const { storage, ids, clock } = parts
    this.#finder = new QueueFinder({ system: storage.system, clock, rotation: this.#rotation })
    this.#writer = new ResultWriter({
      ...parts,
      system: storage.system,
      onWritten: (results) => {
        if (this.#isPaused) this.#claimSoon()
        return disableFailing({ storage, ids, nowMs: clock.nowMs() }, results)
      },
    })
  }

  onCommitted({ tenantId, change, deliveries }: Committed): void {
    // A webhook that was activated again may have attempts that are due.
    const isWebhookChanged = change.writes.some(({ kind, op }) => kind === 'webhooks' && op === 'update')
    if (deliveries > 0 || isWebhookChanged) this.#finder.hint(tenantId)
  }

  async runDue(): Promise<number | null> {
    if (this.#isStopped) return null
    await this.#finder.learn()
    await this.#claim()
    const nextAtMs = this.#rotation.nextAtMs()
    return nextAtMs === null ? null : Math.max(nextAtMs, this.#parts.clock.nowMs() + 1)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#finder.stop()
    clearTimeout(this.#freshTimer)
    await this.#claiming?.catch(() => undefined)
    if (this.#running.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
    await this.#writer.drain()
  }

  #claim(): Promise<void> {
    this.#isClaimAsked = true
    this.#claiming ??= this.#claimAll()
    return this.#claiming
  }

  async #claimAll(): Promise<void> {
    try {
      while (this.#isClaimAsked && !this.#isStopped) {
        this.#isClaimAsked = false
        if (await this.#claimOnce()) this.#isClaimAsked = true
      }
    } finally {
      this.#isClaimAsked = false
      this.#claiming = undefined
    }
  }

  /** Returns whether any attempt has begun: then more may be due. */
  async #claimOnce(): Promise<boolean> {
    const { storage, clock } = this.#parts
    const nowMs = clock.nowMs()
    const picks = this.#rotation.pick(this.#freeSlots(), nowMs)
    if (picks.length === 0) return false
    const deliveryQueues = picks.map(({ deliveryQueue, limit }) => {
      const { tenantId, webhookId, isRetry } = deliveryQueue
      return { tenantId, webhookId, isRetry, limit }
    })
    const claim = { now: isoTime(nowMs), leaseMs, lockToken: randomUUID(), deliveryQueues }
    const claimed = await storage.system.claimDueAttempts(claim).catch((error: unknown) => {
      for (const pick of picks) this.#rotation.settle(pick, { count: 0, nextAtMs: nowMs + pauseMs })
      throw error
    })
    if (claimed.some(({ claims }) => claims.length > 0)) passFaultPoint('after-claim')
    let count = 0
    for (const [index, pick] of picks.entries()) {
      const { claims, nextAt } = claimed[index] ?? { claims: [], nextAt: null }
      count += this.#beginAll(pick, claims, nowMs)
      const nextAtMs = nextAt === null ? null : Date.parse(nextAt)
      this.#rotation.settle(pick, { count: claims.length, nextAtMs })
    }
    return count > 0
  }

  /** Returns how many attempts may begin now. */
  #freeSlots(): number {
    this.#isPaused = !this.#writer.hasCapacity
    if (this.#isPaused) return 0
    const { total, freshMs } = this.#limits
    const now = performance.now()
    for (const run of this.#fresh) {
      if (now - run.startedAt < freshMs) break
      this.#fresh.delete(run)
    }
    return Math.min(total - this.#running.size, this.#freshLimit.allowed - this.#fresh.size)
  }

  #beginAll({ deliveryQueue }: QueuePick, claims: readonly ClaimedAttempt[], claimedMs: number): number {
    for (const claim of claims) {
      const running = this.#running.get(keyOf(claim))
      // The clock jumped over the end of its lease: the attempt continues, under the new lease.
      if (running) running.lockToken = claim.lockToken
      if (running || this.#isStopped) this.#rotation.end(deliveryQueue, { isTimeout: false })
      else this.#begin(deliveryQueue, { claim, claimedMs })
    }
    return claims.length
  }

  #begin(deliveryQueue: Queue, { claim, claimedMs }: { claim: ClaimedAttempt; claimedMs: number }): void {
    const run: Run = { deliveryQueue, startedAt: performance.now() }
    this.#running.set(keyOf(claim), claim)
    this.#fresh.add(run)
    this.#watchFresh()
    void this.#run(claim, claimedMs).then((isTimeout) => this.#end(run, { claim, isTimeout }))
  }

  /** Reuses slots whose attempts are no longer fresh, also while no attempt ends. */
  #watchFresh(): void {
    if (this.#fresh.size < this.#freshLimit.allowed || this.#freshTimer !== undefined) return
    this.#freshTimer = setTimeout(() => {
      this.#freshTimer = undefined
      this.#claimSoon()
      this.#watchFresh()
    }, freshWatchMs)
  }

  #end(run: Run, { claim, isTimeout }: { claim: ClaimedAttempt; isTimeout: boolean }): void {
    this.#running.delete(keyOf(claim))
    this.#fresh.delete(run)
    this.#rotation.end(run.deliveryQueue, { isTimeout })
    if (this.#running.size === 0) this.#onIdle?.()
    this.#claimSoon()
  }

  /** Fills all slots that become free in the same tick of the event loop with one claim. */
  #claimSoon(): void {
    if (this.#isClaimAsked || this.#isStopped) return
    this.#isClaimAsked = true
    setImmediate(() => {
      // The next poll makes a failed claim again and reports the failure.
      if (!this.#isStopped) this.#claim().catch(() => undefined)
    })
  }

  /** Makes one attempt and hands its result to the writer. Returns whether the attempt timed out. Never rejects. */
  async #run(claim: ClaimedAttempt, claimedMs: number): Promise<boolean> {
    const { clock, log, timeoutMs = attemptTimeoutMs } = this.#parts
    const { tenantId, webhook } = claim
    try {
      // The process slept or the clock jumped: by now another process may have claimed the attempt.
      if (clock.nowMs() - claimedMs > leaseMs - timeoutMs - writeMarginMs) return false
      const outcome = await this.#attempt(claim)
      this.#report(claim, outcome)
      return outcome.result.errorCode === 'TIMEOUT'
    } catch (err) {
      log.error({ err, tenantId, webhookId: webhook._id }, 'A delivery could not be made')
      // Nothing was sent, so no retry is used up: the attempt is made when its lease has expired.
      if (!(err instanceof StorageUnavailable))
        this.#report(claim, { result: notPrepared, endedMs: clock.nowMs() })
      return false
    }
  }

  /** The rotation learns of the following retry before the writer wakes the job for it. */
  #report(claim: ClaimedAttempt, ended: Pick<AttemptOutcome, 'result' | 'endedMs'>): void {
    const result = toAttemptResult(this.#parts, { claim, ...ended })
    const { tenantId, webhook } = claim
    if (result.next !== null) {
      const nextAt = result.next.nextAttemptAt
      this.#rotation.learn({ tenantId, webhookId: webhook._id, url: webhook.url, isRetry: true, nextAt })
    }
    this.#writer.add(result)
    this.#parts.meters.deliveryEnded({
      outcome: outcomeOf(result),
      delayMs:
        ended.endedMs -
        result.responseTime -
        Date.parse(claim.attempt.nextAttemptAt ?? claim.attempt.createdAt),
      durationMs: result.responseTime,
    })
  }

  async #attempt(claim: ClaimedAttempt): Promise<AttemptOutcome> {
    const { storage, ids, log } = this.#parts
    const { webhook, event, attempt, tenantId } = claim
    const { deliveryId, attempt: number } = attempt
    passFaultPoint('before-send')
    const outcome = await attemptDelivery(this.#parts, { webhook, event, deliveryId, attempt: number })
    passFaultPoint('after-send-before-result')
    if (isGone(outcome.result)) {
      const store = storage.forTenant(tenantId)
      const now = isoTime(outcome.endedMs)
      // A webhook whose URL was changed in the meantime stays active.
      const isStillDue = ({ url }: { url: string }) => url === webhook.url
      const gone = { webhookId: webhook._id, now, disabledReason: 'gone', isStillDue } as const
      await deactivateWebhook({ store, ids }, gone).catch((err: unknown) => {
        const context = { err, tenantId, webhookId: webhook._id }
        log.error(context, 'Deactivating a webhook after a 410 response failed')
      })
    }
    return outcome
  }
}

function outcomeOf({ status, next }: AttemptResult): DeliveryOutcome {
  if (status === 'success') return 'delivered'
  return next === null ? 'failed' : 'retried'
}

function keyOf({ tenantId, attempt }: ClaimedAttempt): string {
  return `${tenantId}\u0000${attempt._id}`
}

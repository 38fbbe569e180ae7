import { randomUUID } from 'node:crypto'
import type { IdFactory } from '@crmkit/core'
import type { Step } from '../jobs/scheduler.ts'
import type { JobQueue } from '../ports/job-queue.ts'
import type { Log } from '../ports/log.ts'
import type { Committed, Storage } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import { passFaultPoint } from '../shared/fault-points.ts'
import { StorageUnavailable } from '../storage/errors.ts'
import type { ClaimedAttempt } from '../storage/records.ts'
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
import { type Queue, QueueRotation, type Turn } from './queue-rotation.ts'
import { ResultWriter } from './result-writer.ts'

// Long enough for one attempt and its result, short enough that a crash delays little.
const leaseMs = 15_000
const writeMarginMs = 1500
/** How long a storage that failed is left alone. */
const pauseMs = 1000

/** How often full places are looked at again while no attempt ends. */
const freshWatchMs = 25

export interface DeliverDueParts extends AttemptParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  queue: Pick<JobQueue, 'wake'>
  ids: IdFactory
  log: Log
  limits?: Partial<DeliveryLimits>
}

export interface DeliverDue extends Step {
  /** Tells whose delivery queues to look at first; without it the walk over all delivery queues finds them a little later. */
  onCommitted(commit: Committed): void
}

interface Run {
  deliveryQueue: Queue
  startedAt: number
}

/** Claims due attempts in fair turns and makes them. */
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
  /** Nothing begins until results are written. */
  #isHeldBack = false
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
        if (this.#isHeldBack) this.#claimSoon()
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

  /** Answers whether anything was begun: then there may be more. */
  async #claimOnce(): Promise<boolean> {
    const { storage, clock } = this.#parts
    const nowMs = clock.nowMs()
    const picks = this.#rotation.pick(this.#places(), nowMs)
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

  /** How many attempts may begin now. */
  #places(): number {
    this.#isHeldBack = !this.#writer.hasRoom
    if (this.#isHeldBack) return 0
    const { total, freshMs } = this.#limits
    const now = performance.now()
    for (const run of this.#fresh) {
      if (now - run.startedAt < freshMs) break
      this.#fresh.delete(run)
    }
    return Math.min(total - this.#running.size, this.#freshLimit.allowed - this.#fresh.size)
  }

  #beginAll({ deliveryQueue }: Turn, claims: readonly ClaimedAttempt[], claimedMs: number): number {
    for (const claim of claims) {
      const running = this.#running.get(keyOf(claim))
      // The clock jumped over the end of its lease: it goes on, and the new lease counts.
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

  /** Places that are held too long are given to others also when no attempt ends meanwhile. */
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

  /** Places that become free in the same turn are filled by one claim. */
  #claimSoon(): void {
    if (this.#isClaimAsked || this.#isStopped) return
    this.#isClaimAsked = true
    setImmediate(() => {
      // A failed claim is reported and made again by the next look.
      if (!this.#isStopped) this.#claim().catch(() => undefined)
    })
  }

  /** Makes one attempt and hands its result on; answers whether the receiver let it wait in vain. Never rejects. */
  async #run(claim: ClaimedAttempt, claimedMs: number): Promise<boolean> {
    const { clock, log, timeoutMs = attemptTimeoutMs } = this.#parts
    const { tenantId, webhook } = claim
    try {
      // The process slept or the clock jumped: by now the attempt may be somebody else's.
      if (clock.nowMs() - claimedMs > leaseMs - timeoutMs - writeMarginMs) return false
      const outcome = await this.#attempt(claim)
      this.#report(claim, outcome)
      return outcome.result.errorCode === 'TIMEOUT'
    } catch (err) {
      log.error({ err, tenantId, webhookId: webhook._id }, 'A delivery could not be made')
      // Nothing was sent, so nothing is used up: the attempt is made when its lease has run out.
      if (!(err instanceof StorageUnavailable))
        this.#report(claim, { result: notPrepared, endedMs: clock.nowMs() })
      return false
    }
  }

  /** The retry that follows is known here before anyone is woken for it. */
  #report(claim: ClaimedAttempt, ended: Pick<AttemptOutcome, 'result' | 'endedMs'>): void {
    const result = toAttemptResult(this.#parts, { claim, ...ended })
    const { tenantId, webhook } = claim
    if (result.next !== null) {
      const nextAt = result.next.nextAttemptAt
      this.#rotation.learn({ tenantId, webhookId: webhook._id, url: webhook.url, isRetry: true, nextAt })
    }
    this.#writer.add(result)
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
      // A webhook that was pointed elsewhere meanwhile stays active.
      const isDeserved = ({ url }: { url: string }) => url === webhook.url
      const gone = { webhookId: webhook._id, now, disabledReason: 'gone', isDeserved } as const
      await deactivateWebhook({ store, ids }, gone).catch((err: unknown) => {
        const context = { err, tenantId, webhookId: webhook._id }
        log.error(context, 'A webhook that is gone could not be deactivated')
      })
    }
    return outcome
  }
}

function keyOf({ tenantId, attempt }: ClaimedAttempt): string {
  return `${tenantId}\u0000${attempt._id}`
}

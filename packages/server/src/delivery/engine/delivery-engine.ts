import { randomUUID } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import type { AttemptClaim, DeliveryQueueQuery } from '../../ports/system-store.ts'
import { isoTime } from '../../shared/clock.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import type { PlannedQueue, TenantId } from '../../storage/records.ts'
import { type DeliveryLimits, FreshLimit } from './delivery-limits.ts'
import { QueueFinder } from './queue-finder.ts'
import { type Queue, type QueuePick, QueueRotation } from './queue-rotation.ts'

/** How long a queue rests after its claim failed. */
const pauseMs = 1000

/** How often slots that are all occupied are checked again while no attempt ends. */
const freshWatchMs = 25

/** One kind of deliveries: where their queues are, how they are claimed, and how one attempt is made. */
export interface DeliverySender<Claim> {
  readonly leaseMs: number
  listQueues(query: DeliveryQueueQuery): Promise<{ deliveryQueues: PlannedQueue[]; next: string | null }>
  /** Leases due attempts, with one entry for each queue of the claim, in its order. */
  claim(claim: AttemptClaim): Promise<readonly { claims: readonly Claim[]; nextAt: string | null }[]>
  /** Identifies an attempt among all of this sender. */
  keyOf(claim: Claim): string
  /** The lease of a running attempt was over, and this process has claimed it again. */
  renew(running: Claim, again: Claim): void
  /** Makes one attempt and stores its result. Returns whether it timed out. Never rejects. */
  attempt(claim: Claim, claimedMs: number): Promise<boolean>
  /** Returns whether results are written as fast as they come. */
  hasCapacity(): boolean
}

interface EngineParts<Claim> {
  sender: DeliverySender<Claim>
  limits: DeliveryLimits
  clock: Clock
}

interface Run {
  deliveryQueue: Queue
  startedAt: number
}

/** Claims due attempts of one sender, fairly over tenants and receivers, and has them made. */
export class DeliveryEngine<Claim> {
  readonly #parts: EngineParts<Claim>
  readonly #rotation: QueueRotation
  readonly #finder: QueueFinder
  readonly #freshLimit: FreshLimit
  readonly #running = new Map<string, Claim>()
  /** The youngest of the running attempts, in the order of their start. */
  readonly #fresh = new Set<Run>()
  /** No attempt begins until results are written. */
  #isPaused = false
  #freshTimer: NodeJS.Timeout | undefined
  #claiming: Promise<void> | undefined
  #isClaimAsked = false
  #isStopped = false
  #onIdle: (() => void) | undefined

  constructor(parts: EngineParts<Claim>) {
    const { sender, limits, clock } = parts
    this.#parts = parts
    this.#rotation = new QueueRotation(limits)
    this.#freshLimit = new FreshLimit(limits)
    const system = { listDeliveryQueues: sender.listQueues }
    this.#finder = new QueueFinder({ system, clock, rotation: this.#rotation })
  }

  /** Reads the queues of a tenant at the next poll; without it the walk over all queues finds them a little later. */
  hint(tenantId: TenantId): void {
    this.#finder.hint(tenantId)
  }

  /** Notes an attempt that was planned. */
  learn(planned: PlannedQueue): void {
    this.#rotation.learn(planned)
  }

  /** Results were written: an engine that waited for this continues. */
  resume(): void {
    if (this.#isPaused) this.#claimSoon()
  }

  async runDue(): Promise<number | null> {
    if (this.#isStopped) return null
    await this.#finder.learn()
    await this.#claim()
    const nextAtMs = this.#rotation.nextAtMs()
    return nextAtMs === null ? null : Math.max(nextAtMs, this.#parts.clock.nowMs() + 1)
  }

  /** Begins nothing new; resolves when the running attempts have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#finder.stop()
    clearTimeout(this.#freshTimer)
    await this.#claiming?.catch(() => undefined)
    if (this.#running.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
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
    const { sender, clock } = this.#parts
    const nowMs = clock.nowMs()
    const picks = this.#rotation.pick(this.#freeSlots(), nowMs)
    if (picks.length === 0) return false
    const deliveryQueues = picks.map(({ deliveryQueue, limit }) => {
      const { tenantId, webhookId, isRetry } = deliveryQueue
      return { tenantId, webhookId, isRetry, limit }
    })
    const { leaseMs } = sender
    const claim = { now: isoTime(nowMs), leaseMs, lockToken: randomUUID(), deliveryQueues }
    const claimed = await sender.claim(claim).catch((error: unknown) => {
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
    const { sender, limits } = this.#parts
    this.#isPaused = !sender.hasCapacity()
    if (this.#isPaused) return 0
    const { total, freshMs } = limits
    const now = performance.now()
    for (const run of this.#fresh) {
      if (now - run.startedAt < freshMs) break
      this.#fresh.delete(run)
    }
    return Math.min(total - this.#running.size, this.#freshLimit.allowed - this.#fresh.size)
  }

  #beginAll({ deliveryQueue }: QueuePick, claims: readonly Claim[], claimedMs: number): number {
    const { sender } = this.#parts
    for (const claim of claims) {
      const running = this.#running.get(sender.keyOf(claim))
      // The clock jumped over the end of its lease: the attempt continues, under the new lease.
      if (running) sender.renew(running, claim)
      if (running || this.#isStopped) this.#rotation.end(deliveryQueue, { isTimeout: false })
      else this.#begin(deliveryQueue, { claim, claimedMs })
    }
    return claims.length
  }

  #begin(deliveryQueue: Queue, { claim, claimedMs }: { claim: Claim; claimedMs: number }): void {
    const { sender } = this.#parts
    const run: Run = { deliveryQueue, startedAt: performance.now() }
    const key = sender.keyOf(claim)
    this.#running.set(key, claim)
    this.#fresh.add(run)
    this.#watchFresh()
    void sender.attempt(claim, claimedMs).then((isTimeout) => this.#end(run, { key, isTimeout }))
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

  #end(run: Run, { key, isTimeout }: { key: string; isTimeout: boolean }): void {
    this.#running.delete(key)
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
}

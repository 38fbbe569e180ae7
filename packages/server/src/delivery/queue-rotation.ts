import type { DeliveryQueue, PlannedQueue } from '../storage/records.ts'
import { type DeliveryLimits, Throttle } from './delivery-limits.ts'
import { TenantRing } from './tenant-ring.ts'
import { WakeTimes } from './wake-times.ts'

/** What several delivery queues share, with the delivery queues that wait for a place in it. */
interface Pool {
  running: number
  waiting: Set<Queue>
}

interface Receiver extends Pool {
  key: string
  throttle: Throttle
  deliveryQueues: number
}

/** A delivery queue with attempts that are due or planned. */
export interface Queue extends DeliveryQueue {
  readonly key: string
  receiver: Receiver
  origin: string
  /** When its next attempt is due; in the past: now. */
  nextAtMs: number
  /** The earliest of its times among the sleeping ones. */
  wakesAtMs: number
  /** `ready` delivery queues stand in the ring, `claiming` ones are asked for, `asleep` ones have a time to wake. */
  state: 'ready' | 'claiming' | 'asleep' | 'waiting'
}

/** Who may have how many of the free places. */
export interface Turn {
  deliveryQueue: Queue
  limit: number
}

/** Of so many picks one goes to a retry, so that first attempts never starve them. */
const retryShare = 8

/**
 * Decides whose attempts come next: one place at a time to the next tenant, there to the next delivery queue; first attempts
 * before retries; nobody above the caps. It holds one small entry for each delivery queue and no attempt, so a backlog of
 * any length costs nothing here.
 */
export class QueueRotation {
  readonly #limits: DeliveryLimits
  readonly #deliveryQueues = new Map<string, Queue>()
  readonly #receivers = new Map<string, Receiver>()
  readonly #origins = new Map<string, Pool>()
  readonly #rings = { first: new TenantRing<Queue>(), retry: new TenantRing<Queue>() }
  readonly #sleeping = new WakeTimes<Queue>()
  readonly #hanging: Pool = { running: 0, waiting: new Set() }
  #firstsInARow = 0

  constructor(limits: DeliveryLimits) {
    this.#limits = limits
  }

  /** A delivery queue has, or will have, something to do. What is known to be earlier stays. */
  learn(planned: PlannedQueue): void {
    const nextAtMs = Date.parse(planned.nextAt)
    const key = keyOf(planned)
    const known = this.#deliveryQueues.get(key)
    if (known === undefined) this.#add(key, planned, nextAtMs)
    else if (nextAtMs < known.nextAtMs) {
      known.nextAtMs = nextAtMs
      if (known.state === 'asleep') this.#sleep(known)
    }
  }

  /** Queues for so many places; each stays out of the ring until `settle`. */
  pick(places: number, nowMs: number): Turn[] {
    this.#wake(nowMs)
    const picks = new Map<Queue, number>()
    for (let left = places; left > 0; left--) {
      const deliveryQueue = this.#next()
      if (deliveryQueue === undefined) break
      picks.set(deliveryQueue, (picks.get(deliveryQueue) ?? 0) + 1)
      this.#occupy(deliveryQueue)
      if (this.#hasRoom(deliveryQueue)) this.#ringOf(deliveryQueue).push(deliveryQueue)
    }
    for (const deliveryQueue of picks.keys()) {
      this.#ringOf(deliveryQueue).remove(deliveryQueue)
      deliveryQueue.state = 'claiming'
      deliveryQueue.nextAtMs = Number.POSITIVE_INFINITY
    }
    return [...picks].map(([deliveryQueue, limit]) => ({ deliveryQueue, limit }))
  }

  /** What a claim has found: the places that it does not use are free again. */
  settle({ deliveryQueue, limit }: Turn, found: { count: number; nextAtMs: number | null }): void {
    for (let unused = limit - found.count; unused > 0; unused--) this.#release(deliveryQueue)
    deliveryQueue.nextAtMs = Math.min(deliveryQueue.nextAtMs, found.nextAtMs ?? Number.POSITIVE_INFINITY)
    if (deliveryQueue.nextAtMs === Number.POSITIVE_INFINITY) this.#drop(deliveryQueue)
    else this.#sleep(deliveryQueue)
  }

  /** An attempt has ended. */
  end(deliveryQueue: Queue, outcome: { isTimeout: boolean }): void {
    const { receiver } = deliveryQueue
    const wasHanging = receiver.throttle.isHanging
    receiver.throttle.note(outcome)
    if (receiver.throttle.isHanging !== wasHanging)
      this.#hanging.running += wasHanging ? -receiver.running : receiver.running
    this.#release(deliveryQueue)
  }

  /** When the next delivery queue wakes, ms since 1970; null when none has a time. */
  nextAtMs(): number | null {
    return this.#sleeping.earliest()
  }

  /** Queues and receivers that are remembered. */
  get size(): number {
    return this.#deliveryQueues.size + this.#receivers.size + this.#origins.size
  }

  #add(key: string, planned: PlannedQueue, nextAtMs: number): void {
    const { tenantId, webhookId, isRetry } = planned
    const receiver = this.#receiverOf(`${tenantId}\u0000${webhookId}`)
    receiver.deliveryQueues += 1
    const origin = URL.parse(planned.url)?.origin ?? planned.url
    const deliveryQueue: Queue = {
      ...{ tenantId, webhookId, isRetry, key, receiver, origin, nextAtMs },
      ...{ state: 'asleep', wakesAtMs: Number.POSITIVE_INFINITY },
    }
    this.#deliveryQueues.set(key, deliveryQueue)
    this.#sleep(deliveryQueue)
  }

  #receiverOf(key: string): Receiver {
    const known = this.#receivers.get(key)
    if (known) return known
    const throttle = new Throttle(this.#limits.perWebhook)
    const receiver: Receiver = { key, throttle, running: 0, waiting: new Set(), deliveryQueues: 0 }
    this.#receivers.set(key, receiver)
    return receiver
  }

  #originOf(deliveryQueue: Queue): Pool {
    const known = this.#origins.get(deliveryQueue.origin)
    if (known) return known
    const pool: Pool = { running: 0, waiting: new Set() }
    this.#origins.set(deliveryQueue.origin, pool)
    return pool
  }

  #ringOf(deliveryQueue: Queue): TenantRing<Queue> {
    return deliveryQueue.isRetry ? this.#rings.retry : this.#rings.first
  }

  #next(): Queue | undefined {
    const { first, retry } = this.#rings
    const isRetryTurn = first.size === 0 || this.#firstsInARow >= retryShare - 1
    const order = isRetryTurn ? [retry, first] : [first, retry]
    for (const ring of order) {
      for (let deliveryQueue = ring.shift(); deliveryQueue !== undefined; deliveryQueue = ring.shift()) {
        if (!this.#hasRoom(deliveryQueue)) {
          this.#wait(deliveryQueue)
          continue
        }
        this.#firstsInARow = deliveryQueue.isRetry ? 0 : this.#firstsInARow + 1
        return deliveryQueue
      }
    }
    return undefined
  }

  #fullPool(deliveryQueue: Queue): Pool | undefined {
    const { receiver } = deliveryQueue
    if (receiver.running >= receiver.throttle.allowed) return receiver
    if (receiver.throttle.isHanging && this.#hanging.running >= this.#limits.hanging) return this.#hanging
    const origin = this.#origins.get(deliveryQueue.origin)
    return origin !== undefined && origin.running >= this.#limits.perOrigin ? origin : undefined
  }

  #hasRoom(deliveryQueue: Queue): boolean {
    return this.#fullPool(deliveryQueue) === undefined
  }

  /** Out of the ring until a place is free, so that many full delivery queues cost nothing. */
  #wait(deliveryQueue: Queue): void {
    const pool = this.#fullPool(deliveryQueue)
    deliveryQueue.state = 'waiting'
    pool?.waiting.add(deliveryQueue)
    // It was let in for a place at its origin that it cannot use: the next one may.
    if (pool === deliveryQueue.receiver || pool === this.#hanging)
      this.#letIn(this.#originOf(deliveryQueue), this.#limits.perOrigin)
  }

  #occupy(deliveryQueue: Queue): void {
    deliveryQueue.receiver.running += 1
    if (deliveryQueue.receiver.throttle.isHanging) this.#hanging.running += 1
    this.#originOf(deliveryQueue).running += 1
  }

  #release(deliveryQueue: Queue): void {
    const { receiver, origin } = deliveryQueue
    const pool = this.#originOf(deliveryQueue)
    receiver.running -= 1
    pool.running -= 1
    if (receiver.throttle.isHanging) this.#hanging.running -= 1
    this.#letIn(receiver, receiver.throttle.allowed)
    this.#letIn(pool, this.#limits.perOrigin)
    this.#letIn(this.#hanging, this.#limits.hanging)
    if (pool.running === 0 && pool.waiting.size === 0) this.#origins.delete(origin)
    this.#forgetIfIdle(receiver)
  }

  /** As many of those who wait as there are places. */
  #letIn(pool: Pool, allowed: number): void {
    let free = allowed - pool.running
    for (const deliveryQueue of pool.waiting) {
      if (free <= 0) return
      pool.waiting.delete(deliveryQueue)
      // A delivery queue that was picked meanwhile comes back by `settle`.
      if (deliveryQueue.state !== 'waiting') continue
      this.#enter(deliveryQueue)
      free -= 1
    }
  }

  #enter(deliveryQueue: Queue): void {
    deliveryQueue.state = 'ready'
    this.#ringOf(deliveryQueue).push(deliveryQueue)
  }

  #sleep(deliveryQueue: Queue): void {
    deliveryQueue.state = 'asleep'
    // An earlier time of its own wakes it too, and is then put right.
    if (deliveryQueue.wakesAtMs <= deliveryQueue.nextAtMs) return
    deliveryQueue.wakesAtMs = deliveryQueue.nextAtMs
    this.#sleeping.add(deliveryQueue, deliveryQueue.nextAtMs)
  }

  #wake(nowMs: number): void {
    for (const deliveryQueue of this.#sleeping.take(nowMs)) {
      deliveryQueue.wakesAtMs = Number.POSITIVE_INFINITY
      if (deliveryQueue.state !== 'asleep') continue
      if (deliveryQueue.nextAtMs <= nowMs) this.#enter(deliveryQueue)
      else this.#sleep(deliveryQueue)
    }
  }

  #drop(deliveryQueue: Queue): void {
    this.#deliveryQueues.delete(deliveryQueue.key)
    deliveryQueue.receiver.deliveryQueues -= 1
    this.#forgetIfIdle(deliveryQueue.receiver)
  }

  #forgetIfIdle(receiver: Receiver): void {
    if (receiver.deliveryQueues === 0 && receiver.running === 0) this.#receivers.delete(receiver.key)
  }
}

function keyOf({ tenantId, webhookId, isRetry }: DeliveryQueue): string {
  return `${tenantId}\u0000${webhookId}\u0000${isRetry}`
}

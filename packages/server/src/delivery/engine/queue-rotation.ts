import { TenantRoundRobin } from '../../fairness/tenant-round-robin.ts'
import type { DeliveryQueue, PlannedQueue } from '../../storage/records.ts'
import { type DeliveryLimits, Throttle } from './delivery-limits.ts'
import { WakeTimes } from './wake-times.ts'

/** A limit that several delivery queues share, with the queues that wait for a slot in it. */
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
  /**
   * `ready`: in the round-robin. `claiming`: its attempts are being claimed. `asleep`: it has a time to wake.
   * `waiting`: it waits for a slot in a pool that is full.
   */
  state: 'ready' | 'claiming' | 'asleep' | 'waiting'
}

/** A delivery queue that may claim attempts, and how many of the free slots it gets. */
export interface QueuePick {
  deliveryQueue: Queue
  limit: number
}

/** One of so many picks is a retry, so that first attempts never starve the retries. */
const retryShare = 8

/**
 * Decides which attempts are claimed next: each free slot goes to the next tenant in round-robin order, and there to
 * its next delivery queue; first attempts come before retries; no limit is exceeded. It holds one small entry for each
 * delivery queue and no attempt, so a backlog of any length costs no memory here.
 */
export class QueueRotation {
  readonly #limits: DeliveryLimits
  readonly #deliveryQueues = new Map<string, Queue>()
  readonly #receivers = new Map<string, Receiver>()
  readonly #origins = new Map<string, Pool>()
  readonly #roundRobins = { first: new TenantRoundRobin<Queue>(), retry: new TenantRoundRobin<Queue>() }
  readonly #sleeping = new WakeTimes<Queue>()
  readonly #hanging: Pool = { running: 0, waiting: new Set() }
  #firstsInSequence = 0

  constructor(limits: DeliveryLimits) {
    this.#limits = limits
  }

  /** Notes that a delivery queue has, or will have, due attempts. An earlier time that is known already stays. */
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

  /** Returns queues for so many free slots; each stays out of the round-robin until `settle`. */
  pick(freeSlots: number, nowMs: number): QueuePick[] {
    this.#wake(nowMs)
    const picks = new Map<Queue, number>()
    for (let left = freeSlots; left > 0; left--) {
      const deliveryQueue = this.#next()
      if (deliveryQueue === undefined) break
      picks.set(deliveryQueue, (picks.get(deliveryQueue) ?? 0) + 1)
      this.#occupy(deliveryQueue)
      if (this.#hasFreeSlot(deliveryQueue)) this.#roundRobinOf(deliveryQueue).push(deliveryQueue)
    }
    for (const deliveryQueue of picks.keys()) {
      this.#roundRobinOf(deliveryQueue).remove(deliveryQueue)
      deliveryQueue.state = 'claiming'
      deliveryQueue.nextAtMs = Number.POSITIVE_INFINITY
    }
    return [...picks].map(([deliveryQueue, limit]) => ({ deliveryQueue, limit }))
  }

  /** Takes the outcome of a claim: the slots that it does not use are free again. */
  settle({ deliveryQueue, limit }: QueuePick, found: { count: number; nextAtMs: number | null }): void {
    for (let unused = limit - found.count; unused > 0; unused--) this.#release(deliveryQueue)
    deliveryQueue.nextAtMs = Math.min(deliveryQueue.nextAtMs, found.nextAtMs ?? Number.POSITIVE_INFINITY)
    if (deliveryQueue.nextAtMs === Number.POSITIVE_INFINITY) this.#drop(deliveryQueue)
    else this.#sleep(deliveryQueue)
  }

  /** Frees the slot of an attempt that has ended. */
  end(deliveryQueue: Queue, outcome: { isTimeout: boolean }): void {
    const { receiver } = deliveryQueue
    const wasHanging = receiver.throttle.isHanging
    receiver.throttle.note(outcome)
    if (receiver.throttle.isHanging !== wasHanging)
      this.#hanging.running += wasHanging ? -receiver.running : receiver.running
    this.#release(deliveryQueue)
  }

  /** Returns when the next delivery queue wakes, ms since 1970; null when none has a time. */
  nextAtMs(): number | null {
    return this.#sleeping.earliest()
  }

  /** How many queues, receivers and origins are held in memory. */
  get size(): number {
    return this.#deliveryQueues.size + this.#receivers.size + this.#origins.size
  }

  #add(key: string, planned: PlannedQueue, nextAtMs: number): void {
    const { tenantId, webhookId, isRetry } = planned
    const receiver = this.#receiverOf(`${tenantId}\u0000${webhookId}`)
    receiver.deliveryQueues += 1
    const origin = URL.parse(planned.url)?.origin ?? planned.url
    const deliveryQueue: Queue = {
      tenantId,
      webhookId,
      isRetry,
      key,
      receiver,
      origin,
      nextAtMs,
      state: 'asleep',
      wakesAtMs: Number.POSITIVE_INFINITY,
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

  #roundRobinOf(deliveryQueue: Queue): TenantRoundRobin<Queue> {
    return deliveryQueue.isRetry ? this.#roundRobins.retry : this.#roundRobins.first
  }

  #next(): Queue | undefined {
    const { first, retry } = this.#roundRobins
    const isRetryNext = first.size === 0 || this.#firstsInSequence >= retryShare - 1
    const next = isRetryNext
      ? (this.#shift(retry) ?? this.#shift(first))
      : (this.#shift(first) ?? this.#shift(retry))
    if (next) this.#firstsInSequence = next.isRetry ? 0 : this.#firstsInSequence + 1
    return next
  }

  /** Returns the next queue of a round-robin with a free slot; those without one begin to wait for it. */
  #shift(queues: TenantRoundRobin<Queue>): Queue | undefined {
    for (let deliveryQueue = queues.shift(); deliveryQueue !== undefined; deliveryQueue = queues.shift()) {
      if (this.#hasFreeSlot(deliveryQueue)) return deliveryQueue
      this.#wait(deliveryQueue)
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

  #hasFreeSlot(deliveryQueue: Queue): boolean {
    return this.#fullPool(deliveryQueue) === undefined
  }

  /** Keeps the queue out of the round-robin until a slot is free, so that many queues at their limit cost nothing. */
  #wait(deliveryQueue: Queue): void {
    const pool = this.#fullPool(deliveryQueue)
    deliveryQueue.state = 'waiting'
    pool?.waiting.add(deliveryQueue)
    // It was admitted for a slot at its origin that it cannot use: the next queue may use it.
    if (pool === deliveryQueue.receiver || pool === this.#hanging)
      this.#admit(this.#originOf(deliveryQueue), this.#limits.perOrigin)
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
    this.#admit(receiver, receiver.throttle.allowed)
    this.#admit(pool, this.#limits.perOrigin)
    this.#admit(this.#hanging, this.#limits.hanging)
    if (pool.running === 0 && pool.waiting.size === 0) this.#origins.delete(origin)
    this.#forgetIfIdle(receiver)
  }

  /** Admits as many of the waiting queues to the round-robin as there are free slots. */
  #admit(pool: Pool, allowed: number): void {
    let free = allowed - pool.running
    for (const deliveryQueue of pool.waiting) {
      if (free <= 0) return
      pool.waiting.delete(deliveryQueue)
      // A delivery queue that was picked in the meantime comes back by `settle`.
      if (deliveryQueue.state !== 'waiting') continue
      this.#enter(deliveryQueue)
      free -= 1
    }
  }

  #enter(deliveryQueue: Queue): void {
    deliveryQueue.state = 'ready'
    this.#roundRobinOf(deliveryQueue).push(deliveryQueue)
  }

  #sleep(deliveryQueue: Queue): void {
    deliveryQueue.state = 'asleep'
    // An earlier time of the same queue wakes it too, and `#wake` then corrects the time.
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

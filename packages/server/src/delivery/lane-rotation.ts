import type { DeliveryLane, PlannedLane } from '../storage/records.ts'
import { type DeliveryLimits, Throttle } from './delivery-limits.ts'
import { TenantRing } from './tenant-ring.ts'
import { WakeTimes } from './wake-times.ts'

/** What several lanes share, with the lanes that wait for a place in it. */
interface Pool {
  running: number
  waiting: Set<Lane>
}

interface Receiver extends Pool {
  key: string
  throttle: Throttle
  lanes: number
}

/** A lane with attempts that are due or planned. */
export interface Lane extends DeliveryLane {
  readonly key: string
  receiver: Receiver
  origin: string
  /** When its next attempt is due; in the past: now. */
  nextAtMs: number
  /** The earliest of its times among the sleeping ones. */
  wakesAtMs: number
  /** `ready` lanes stand in the ring, `claiming` ones are asked for, `asleep` ones have a time to wake. */
  state: 'ready' | 'claiming' | 'asleep' | 'waiting'
}

/** Who may have how many of the free places. */
export interface Turn {
  lane: Lane
  limit: number
}

/** Of so many picks one goes to a retry, so that first attempts never starve them. */
const retryShare = 8

/**
 * Decides whose attempts come next: one place at a time to the next tenant, there to the next lane; first attempts
 * before retries; nobody above the caps. It holds one small entry for each lane and no attempt, so a backlog of
 * any length costs nothing here.
 */
export class LaneRotation {
  readonly #limits: DeliveryLimits
  readonly #lanes = new Map<string, Lane>()
  readonly #receivers = new Map<string, Receiver>()
  readonly #origins = new Map<string, Pool>()
  readonly #rings = { first: new TenantRing<Lane>(), retry: new TenantRing<Lane>() }
  readonly #sleeping = new WakeTimes<Lane>()
  readonly #hanging: Pool = { running: 0, waiting: new Set() }
  #firstsInARow = 0

  constructor(limits: DeliveryLimits) {
    this.#limits = limits
  }

  /** A lane has, or will have, something to do. What is known to be earlier stays. */
  learn(planned: PlannedLane): void {
    const nextAtMs = Date.parse(planned.nextAt)
    const key = keyOf(planned)
    const known = this.#lanes.get(key)
    if (known === undefined) this.#add(key, planned, nextAtMs)
    else if (nextAtMs < known.nextAtMs) {
      known.nextAtMs = nextAtMs
      if (known.state === 'asleep') this.#sleep(known)
    }
  }

  /** Lanes for so many places; each stays out of the ring until `settle`. */
  pick(places: number, nowMs: number): Turn[] {
    this.#wake(nowMs)
    const picks = new Map<Lane, number>()
    for (let left = places; left > 0; left--) {
      const lane = this.#next()
      if (lane === undefined) break
      picks.set(lane, (picks.get(lane) ?? 0) + 1)
      this.#occupy(lane)
      if (this.#hasRoom(lane)) this.#ringOf(lane).push(lane)
    }
    for (const lane of picks.keys()) {
      this.#ringOf(lane).remove(lane)
      lane.state = 'claiming'
      lane.nextAtMs = Number.POSITIVE_INFINITY
    }
    return [...picks].map(([lane, limit]) => ({ lane, limit }))
  }

  /** What a claim has found: the places that it does not use are free again. */
  settle({ lane, limit }: Turn, found: { count: number; nextAtMs: number | null }): void {
    for (let unused = limit - found.count; unused > 0; unused--) this.#release(lane)
    lane.nextAtMs = Math.min(lane.nextAtMs, found.nextAtMs ?? Number.POSITIVE_INFINITY)
    if (lane.nextAtMs === Number.POSITIVE_INFINITY) this.#drop(lane)
    else this.#sleep(lane)
  }

  /** An attempt has ended. */
  end(lane: Lane, outcome: { isTimeout: boolean }): void {
    const { receiver } = lane
    const wasHanging = receiver.throttle.isHanging
    receiver.throttle.note(outcome)
    if (receiver.throttle.isHanging !== wasHanging)
      this.#hanging.running += wasHanging ? -receiver.running : receiver.running
    this.#release(lane)
  }

  /** When the next lane wakes, ms since 1970; null when none has a time. */
  nextAtMs(): number | null {
    return this.#sleeping.earliest()
  }

  /** Lanes and receivers that are remembered. */
  get size(): number {
    return this.#lanes.size + this.#receivers.size + this.#origins.size
  }

  #add(key: string, planned: PlannedLane, nextAtMs: number): void {
    const { tenantId, webhookId, isRetry } = planned
    const receiver = this.#receiverOf(`${tenantId}\u0000${webhookId}`)
    receiver.lanes += 1
    const origin = URL.parse(planned.url)?.origin ?? planned.url
    const lane: Lane = {
      ...{ tenantId, webhookId, isRetry, key, receiver, origin, nextAtMs },
      ...{ state: 'asleep', wakesAtMs: Number.POSITIVE_INFINITY },
    }
    this.#lanes.set(key, lane)
    this.#sleep(lane)
  }

  #receiverOf(key: string): Receiver {
    const known = this.#receivers.get(key)
    if (known) return known
    const throttle = new Throttle(this.#limits.perWebhook)
    const receiver: Receiver = { key, throttle, running: 0, waiting: new Set(), lanes: 0 }
    this.#receivers.set(key, receiver)
    return receiver
  }

  #originOf(lane: Lane): Pool {
    const known = this.#origins.get(lane.origin)
    if (known) return known
    const pool: Pool = { running: 0, waiting: new Set() }
    this.#origins.set(lane.origin, pool)
    return pool
  }

  #ringOf(lane: Lane): TenantRing<Lane> {
    return lane.isRetry ? this.#rings.retry : this.#rings.first
  }

  #next(): Lane | undefined {
    const { first, retry } = this.#rings
    const isRetryTurn = first.size === 0 || this.#firstsInARow >= retryShare - 1
    const order = isRetryTurn ? [retry, first] : [first, retry]
    for (const ring of order) {
      for (let lane = ring.shift(); lane !== undefined; lane = ring.shift()) {
        if (!this.#hasRoom(lane)) {
          this.#wait(lane)
          continue
        }
        this.#firstsInARow = lane.isRetry ? 0 : this.#firstsInARow + 1
        return lane
      }
    }
    return undefined
  }

  #fullPool(lane: Lane): Pool | undefined {
    const { receiver } = lane
    if (receiver.running >= receiver.throttle.allowed) return receiver
    if (receiver.throttle.isHanging && this.#hanging.running >= this.#limits.hanging) return this.#hanging
    const origin = this.#origins.get(lane.origin)
    return origin !== undefined && origin.running >= this.#limits.perOrigin ? origin : undefined
  }

  #hasRoom(lane: Lane): boolean {
    return this.#fullPool(lane) === undefined
  }

  /** Out of the ring until a place is free, so that many full lanes cost nothing. */
  #wait(lane: Lane): void {
    const pool = this.#fullPool(lane)
    lane.state = 'waiting'
    pool?.waiting.add(lane)
    // It was let in for a place at its origin that it cannot use: the next one may.
    if (pool === lane.receiver || pool === this.#hanging)
      this.#letIn(this.#originOf(lane), this.#limits.perOrigin)
  }

  #occupy(lane: Lane): void {
    lane.receiver.running += 1
    if (lane.receiver.throttle.isHanging) this.#hanging.running += 1
    this.#originOf(lane).running += 1
  }

  #release(lane: Lane): void {
    const { receiver, origin } = lane
    const pool = this.#originOf(lane)
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
    for (const lane of pool.waiting) {
      if (free <= 0) return
      pool.waiting.delete(lane)
      // A lane that was picked meanwhile comes back by `settle`.
      if (lane.state !== 'waiting') continue
      this.#enter(lane)
      free -= 1
    }
  }

  #enter(lane: Lane): void {
    lane.state = 'ready'
    this.#ringOf(lane).push(lane)
  }

  #sleep(lane: Lane): void {
    lane.state = 'asleep'
    // An earlier time of its own wakes it too, and is then put right.
    if (lane.wakesAtMs <= lane.nextAtMs) return
    lane.wakesAtMs = lane.nextAtMs
    this.#sleeping.add(lane, lane.nextAtMs)
  }

  #wake(nowMs: number): void {
    for (const lane of this.#sleeping.take(nowMs)) {
      lane.wakesAtMs = Number.POSITIVE_INFINITY
      if (lane.state !== 'asleep') continue
      if (lane.nextAtMs <= nowMs) this.#enter(lane)
      else this.#sleep(lane)
    }
  }

  #drop(lane: Lane): void {
    this.#lanes.delete(lane.key)
    lane.receiver.lanes -= 1
    this.#forgetIfIdle(lane.receiver)
  }

  #forgetIfIdle(receiver: Receiver): void {
    if (receiver.lanes === 0 && receiver.running === 0) this.#receivers.delete(receiver.key)
  }
}

function keyOf({ tenantId, webhookId, isRetry }: DeliveryLane): string {
  return `${tenantId}\u0000${webhookId}\u0000${isRetry}`
}

export interface DeliveryLimits {
  /** Attempts under way at once. */
  total: number
  /**
   * Of these, the ones that began less than `freshMs` ago. An attempt that takes longer hangs rather than works,
   * and gives its place to the others: so hanging receivers never keep healthy ones waiting.
   */
  fresh: number
  /** As many while this process has time to spare: then it is the receivers that are far away. */
  freshMax: number
  freshMs: number
  /** At one webhook; fewer after timeouts, see `Throttle`. */
  perWebhook: number
  /** At one scheme, host and port, whoever's webhooks lead there. */
  perOrigin: number
  /**
   * At all receivers together whose last attempt timed out: however many hang, the other places are left to those
   * that work.
   */
  hanging: number
}

export const defaultDeliveryLimits: DeliveryLimits = {
  total: 512,
  fresh: 64,
  freshMax: 256,
  freshMs: 250,
  perWebhook: 16,
  perOrigin: 64,
  hanging: 256,
}

/**
 * How many attempts at one webhook may be under way. It begins low and doubles with every answer; a timeout
 * halves it, down to one, so that a receiver that hangs soon holds one place instead of many.
 */
export class Throttle {
  readonly #max: number
  #allowed: number
  /** The last attempt got no answer in its time. */
  isHanging = false

  constructor(max: number) {
    this.#max = max
    this.#allowed = Math.min(4, max)
  }

  get allowed(): number {
    return this.#allowed
  }

  note({ isTimeout }: { isTimeout: boolean }): void {
    this.isHanging = isTimeout
    const next = isTimeout ? Math.floor(this.#allowed / 2) : this.#allowed * 2
    this.#allowed = Math.min(Math.max(next, 1), this.#max)
  }
}

const sampleMs = 20
const busyShare = 0.8

/**
 * How many fresh attempts may be under way: few while this process is busy, because more would only wait inside of it
 * and make everybody later; many while it waits for receivers that are far away.
 */
export class FreshLimit {
  readonly #limits: Pick<DeliveryLimits, 'fresh' | 'freshMax'>
  #allowed: number
  #sampledAt = performance.now()
  #sample = performance.eventLoopUtilization()

  constructor(limits: Pick<DeliveryLimits, 'fresh' | 'freshMax'>) {
    this.#limits = limits
    this.#allowed = limits.fresh
  }

  get allowed(): number {
    const now = performance.now()
    if (now - this.#sampledAt < sampleMs) return this.#allowed
    const { utilization } = performance.eventLoopUtilization(this.#sample)
    this.#sampledAt = now
    this.#sample = performance.eventLoopUtilization()
    const next = utilization < busyShare ? this.#allowed * 1.5 : this.#allowed / 2
    this.#allowed = Math.floor(Math.min(Math.max(next, this.#limits.fresh), this.#limits.freshMax))
    return this.#allowed
  }
}

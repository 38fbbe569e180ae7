export interface DeliveryLimits {
  /** Attempts that run at the same time. */
  total: number
  /**
   * Running attempts that began less than `freshMs` ago. An attempt that takes longer probably hangs, and frees its
   * slot for others: so hanging receivers never delay healthy ones.
   */
  fresh: number
  /**
   * The value that `fresh` may rise to while this process has spare time: then the receivers are slow, not the
   * process.
   */
  freshMax: number
  freshMs: number
  /** At one webhook; fewer after timeouts, see `Throttle`. */
  perWebhook: number
  /** At one scheme, host and port, over the webhooks of all tenants. */
  perOrigin: number
  /**
   * At all receivers together whose last attempt timed out: however many hang, the other slots stay free for those
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
 * Limits how many attempts at one webhook may run at the same time. The limit begins low and doubles with every
 * response; a timeout halves it, down to one, so that a receiver that hangs soon holds one slot instead of many.
 */
export class Throttle {
  readonly #max: number
  #allowed: number
  /** The last attempt got no response in its time. */
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
 * Limits how many fresh attempts may run at the same time: few while this process is busy, because more would only
 * wait inside it and delay all; many while it waits for slow receivers.
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

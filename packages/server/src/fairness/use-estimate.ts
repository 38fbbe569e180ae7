import type { Reservation } from '../ports/row-quotas.ts'

/** A count reads every row, so a tenant at its limit causes no more than one a second. */
const pauseMs = 1_000
/** Near the limit, other processes' writes become known within this time. */
const recountMs = 60_000
/** No write waits longer for a count. */
export const countWaitMaxMs = 5_000
/** Below half of the limit a count is used for so long. */
const longRecountMs = 60 * 60_000

/**
 * The use of one quota of one tenant, as this process knows it: an exact count, and its own commits since. After a count
 * the estimate may be too high by what was committed during it; it is never too low by this process's own new rows.
 */
export class UseEstimate {
  readonly #count: () => Promise<number>
  #used: number | undefined
  #countedAtMs = Number.NEGATIVE_INFINITY
  #pending = 0
  /** The sum of the commits since the running count began. */
  #raised = 0
  #isExact = false
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(count: () => Promise<number>) {
    this.#count = count
  }

  /** Undefined before the first count. */
  get used(): number | undefined {
    return this.#used
  }

  /** Whether a use that is shown has to be counted anew. */
  isOutdated(): boolean {
    return !this.#isExact || this.#ageMs() > recountMs
  }

  /** Whether this amount is within the limit, besides what is used and reserved. */
  fits(amount: number, limit: number): boolean {
    return this.#used !== undefined && this.#used + this.#pending + amount <= limit
  }

  /**
   * Whether this amount may be used, after a new count where that decides. A first count that takes too long decides nothing: the
   * amount is admitted.
   */
  async admits(amount: number, limit: number): Promise<boolean> {
    if (!this.fits(amount, limit)) await atMost(countWaitMaxMs, this.countAnew())
    else this.refresh(limit)
    return this.#used === undefined || this.fits(amount, limit)
  }

  #ageMs(): number {
    return performance.now() - this.#countedAtMs
  }

  /** Starts a count without waiting for it, when the last one is too old for this limit. */
  refresh(limit: number): void {
    const used = this.#used ?? 0
    const isNear = used * 2 > limit
    // A failed count is repeated with the next write.
    if (this.#ageMs() > (isNear ? recountMs : longRecountMs)) this.countAnew().catch(() => {})
  }

  /** Resolves after a count that began later than this call. Several calls share one count. */
  countAnew(): Promise<void> {
    this.#next ??= this.#countNext()
    return this.#next
  }

  reserve(amount: number): Reservation {
    this.#pending += amount
    return {
      end: () => {
        this.#pending -= amount
      },
    }
  }

  /** Notes new rows of a commit of this process, or (less than 0) deleted ones. */
  add(amount: number): void {
    if (amount > 0) this.#raised += amount
    if (this.#used !== undefined) this.#used = Math.max(0, this.#used + amount)
  }

  /** Notes a commit whose effect on the use only a count can find. */
  noteUnknown(): void {
    this.#isExact = false
  }

  async #countNext(): Promise<void> {
    await this.#running
    const waitMs = this.#used === undefined ? 0 : pauseMs - this.#ageMs()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    this.#next = undefined
    const counting = this.#countNow()
    this.#running = counting.catch(() => {})
    return counting
  }

  async #countNow(): Promise<void> {
    this.#raised = 0
    this.#isExact = true
    const counted = await this.#count()
    this.#used = counted + this.#raised
    this.#countedAtMs = performance.now()
  }
}

/** Waits for the work, but no longer than this. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([work, isOver])
  } finally {
    clearTimeout(timer)
  }
}

/** At most so many requests in a window that begins with the first of them. */
export interface RateLimit {
  /** How the headers call it. */
  readonly name: string
  /** What is counted; limits of one cell share a counter. */
  readonly cell: string
  readonly requests: number
  readonly windowMs: number
}

/** What is left of a limit, after the request that was counted. */
export interface LimitState {
  readonly limit: RateLimit
  readonly isRefused: boolean
  readonly remaining: number
  /** The end of the window (ms since 1970), fixed by its first request: one at this very moment succeeds. */
  readonly resetAtMs: number
  /** Milliseconds until then, at least 0. */
  readonly resetInMs: number
}

/**
 * Counts requests in fixed windows, and failed attempts that make the next one wait. It may forget, but never
 * lets through more than its memory says: where counters are shared and cannot be reached, it counts alone.
 * No method rejects.
 */
export interface RateLimiter {
  /**
   * Counts one request against all of these limits (one at least), or against none when any refuses. Answers
   * the limit that stands in the way for longest, or else the one with the least left; of equals the first.
   * A promise only where the counters are elsewhere: the busiest path waits for nothing.
   */
  take(limits: readonly RateLimit[]): LimitState | Promise<LimitState>
  /** Milliseconds to wait before the next attempt; 0 when it may be made now. */
  attemptWaitMs(id: string): number | Promise<number>
  /** Counts a failed attempt; from the fifth on, the next one has to wait, each time twice as long. */
  noteFailedAttempt(id: string): void | Promise<void>
  /** Forgets the failed attempts: the right one was made. */
  forgetFailedAttempts(id: string): void | Promise<void>
  close(): Promise<void>
}

/** Requests a minute; 0 switches a limit off. */
export interface LimitSettings {
  key: number
  user: number
  tenant: number
  address: number
  login: number
}

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

/** From its last free failure on, each failed attempt makes the next one wait, each time twice as long. */
export interface AttemptRule {
  readonly freeFailures: number
  readonly firstWaitMs: number
  readonly waitMaxMs: number
  /** Failures are forgotten when so long after the last wait none was added. */
  readonly keepMs: number
}

export interface AttemptCounter {
  readonly id: string
  readonly rule: AttemptRule
}

/** The longest wait of an attempt that may not be made yet. */
export interface AttemptWait {
  readonly waitMs: number
  readonly counter: AttemptCounter
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
  /**
   * Counts an attempt as failed before it is made, against all of these counters, or against none when one of them
   * makes it wait. Undefined: it may be made.
   */
  beginAttempt(
    counters: readonly AttemptCounter[],
  ): AttemptWait | undefined | Promise<AttemptWait | undefined>
  /** Takes an attempt back that was begun: it was right, or it was not made. */
  withdrawAttempt(counters: readonly AttemptCounter[]): void | Promise<void>
  /** Remembers an id for this long. */
  remember(id: string, keepMs: number): void | Promise<void>
  /** The ids that are remembered among these. */
  remembered(ids: readonly string[]): readonly string[] | Promise<readonly string[]>
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

/** Allows at most `requests` requests in a window that begins with the first of them, or so much of another amount, such as bytes. */
export interface RateLimit {
  /** Its name in the response headers. */
  readonly name: string
  /** The id of the counter; limits of one cell share a counter. */
  readonly cell: string
  readonly requests: number
  readonly windowMs: number
  /** How much this request counts; 1 without it. */
  readonly amount?: number
}

/** The state of a limit after the request was counted. */
export interface LimitState {
  readonly limit: RateLimit
  readonly isRefused: boolean
  readonly remaining: number
  /** The end of the window (ms since 1970), fixed by its first request: a request at this moment succeeds. */
  readonly resetAtMs: number
  /** Milliseconds until `resetAtMs`, at least 0. */
  readonly resetInMs: number
}

/** From its last free failure on, each failed attempt makes the next one wait, each time twice as long. */
export interface AttemptRule {
  readonly freeFailures: number
  readonly firstWaitMs: number
  readonly waitMaxMs: number
  /** Failures are forgotten when there was none for so long after the last wait. */
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
 * Counts requests in fixed windows, and failed sign-in attempts that delay the next one. It may forget counters, but
 * never allows more than they say: shared counters that cannot be reached are replaced by those of this process.
 * No method rejects.
 */
export interface RateLimiter {
  /**
   * Counts one request against all of these limits (one at least), or against none when any of them refuses it.
   * Returns the refusing limit with the latest reset, or else the limit with the fewest remaining requests; of equal
   * ones the first. Returns a promise only when the counters are in another process: counting is on the busiest path.
   */
  take(limits: readonly RateLimit[]): LimitState | Promise<LimitState>
  /** Takes back one request that was counted against these limits, as far as their windows have not ended. */
  giveBack(limits: readonly RateLimit[]): void | Promise<void>
  /**
   * Counts an attempt as failed before it is made, against all of these counters, or against none when one of them
   * makes it wait. Returns the wait; undefined when the attempt may be made.
   */
  beginAttempt(
    counters: readonly AttemptCounter[],
  ): AttemptWait | undefined | Promise<AttemptWait | undefined>
  /** Withdraws an attempt that was begun: it was right, or it was not made. */
  withdrawAttempt(counters: readonly AttemptCounter[]): void | Promise<void>
  /** Remembers an id for this long. */
  remember(id: string, keepMs: number): void | Promise<void>
  /** Returns the subset of these ids that are remembered. */
  remembered(ids: readonly string[]): readonly string[] | Promise<readonly string[]>
  close(): Promise<void>
}

/** Requests a minute; 0 switches a limit off. */
export interface LimitSettings {
  key: number
  user: number
  /** Of all keys of a tenant together. */
  tenant: number
  /** Of all sessions of a tenant together. */
  people: number
  address: number
  login: number
}

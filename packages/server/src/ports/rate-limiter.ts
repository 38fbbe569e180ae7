/** Allows at most `requests` requests in a window that begins with the first of them. */
export interface RateLimit {
  /** Its name in the response headers. */
  readonly name: string
  /** The id of the counter; limits of one cell share a counter. */
  readonly cell: string
  readonly requests: number
  readonly windowMs: number
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
  /** Returns the milliseconds to wait before the next attempt; 0 when it may be made now. */
  attemptWaitMs(id: string): number | Promise<number>
  /** Counts a failed attempt; from the fifth on the next attempt has to wait, each time twice as long. */
  noteFailedAttempt(id: string): void | Promise<void>
  /** Forgets the failed attempts, after a successful one. */
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

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

export const attemptRule = {
  freeFailures: 5,
  firstWaitMs: 2000,
  waitMaxMs: 15 * 60_000,
  /** Failures are forgotten when so long after the last wait none was added. */
  keepMs: 15 * 60_000,
} as const

/** The wait that follows the n-th failure (from 1). */
export function waitAfterFailures(failures: number): number {
  const { freeFailures, firstWaitMs, waitMaxMs } = attemptRule
  if (failures < freeFailures) return 0
  return Math.min(waitMaxMs, firstWaitMs * 2 ** (failures - freeFailures))
}

/** Of the states of one request's limits, the one to tell: see `RateLimiter.take`. */
export function decisiveState(states: readonly [LimitState, ...LimitState[]]): LimitState {
  let [decisive] = states
  for (const state of states) if (isMoreDecisive(state, decisive)) decisive = state
  return decisive
}

function isMoreDecisive(state: LimitState, than: LimitState): boolean {
  if (state.isRefused !== than.isRefused) return state.isRefused
  return state.isRefused ? state.resetAtMs > than.resetAtMs : state.remaining < than.remaining
}

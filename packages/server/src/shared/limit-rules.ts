import type { LimitState } from '../ports/rate-limiter.ts'

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

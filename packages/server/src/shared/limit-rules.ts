import type { LimitState } from '../ports/rate-limiter.ts'

export const attemptRule = {
  freeFailures: 5,
  firstWaitMs: 2000,
  waitMaxMs: 15 * 60_000,
  /** Failures are forgotten when there was none for so long after the last wait. */
  keepMs: 15 * 60_000,
} as const

/** Returns the wait after the n-th failure (from 1), ms. */
export function waitAfterFailures(failures: number): number {
  const { freeFailures, firstWaitMs, waitMaxMs } = attemptRule
  if (failures < freeFailures) return 0
  return Math.min(waitMaxMs, firstWaitMs * 2 ** (failures - freeFailures))
}

/** Returns the state of a request's limits that `RateLimiter.take` returns. */
export function decisiveState(states: readonly [LimitState, ...LimitState[]]): LimitState {
  let [decisive] = states
  for (const state of states) if (isMoreDecisive(state, decisive)) decisive = state
  return decisive
}

function isMoreDecisive(state: LimitState, than: LimitState): boolean {
  if (state.isRefused !== than.isRefused) return state.isRefused
  return state.isRefused ? state.resetAtMs > than.resetAtMs : state.remaining < than.remaining
}

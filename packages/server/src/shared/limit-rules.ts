import type { AttemptRule, LimitState } from '../ports/rate-limiter.ts'

const minuteMs = 60_000

/** Failed sign-ins of an account at one address. */
export const attemptRule: AttemptRule = {
  freeFailures: 5,
  firstWaitMs: 2000,
  waitMaxMs: 15 * minuteMs,
  keepMs: 15 * minuteMs,
}

/** Failed sign-ins of an account at an IPv6 network, by the prefix: many /64 networks belong to one customer. */
export const networkAttemptRules: Readonly<Record<'/56' | '/48', AttemptRule>> = {
  '/56': { ...attemptRule, freeFailures: 10 },
  '/48': { ...attemptRule, freeFailures: 20 },
}

/** Failed sign-ins of an account at all addresses together. The wait stays short: it also meets the owner. */
export const accountAttemptRule: AttemptRule = {
  freeFailures: 50,
  firstWaitMs: 2000,
  waitMaxMs: 5 * minuteMs,
  keepMs: 60 * minuteMs,
}

/** For how long an address is known after a successful sign-in. */
export const knownAddressMs = 30 * 24 * 60 * minuteMs

/** Returns the wait after the n-th failure (from 1), ms. */
export function waitAfterFailures(
  { freeFailures, firstWaitMs, waitMaxMs }: AttemptRule,
  failures: number,
): number {
  if (failures < freeFailures) return 0
  return Math.min(waitMaxMs, firstWaitMs * 2 ** (failures - freeFailures))
}

/** How many times the limit of one address a network has, by the prefix. */
export const networkLimitFactors: Readonly<Record<'/56' | '/48', number>> = { '/56': 2, '/48': 4 }

/** Returns the state of a request's limits that `RateLimiter.take` returns. */
export function decisiveState(states: readonly [LimitState, ...LimitState[]]): LimitState {
  let [decisive] = states
  for (const state of states) if (isMoreDecisive(state, decisive)) decisive = state
  return decisive
}

/** Whether of two limits of a request this one is returned. */
export function isMoreDecisive(state: LimitState, than: LimitState): boolean {
  if (state.isRefused !== than.isRefused) return state.isRefused
  return state.isRefused ? state.resetAtMs > than.resetAtMs : state.remaining < than.remaining
}

import type { Clock } from '../../ports/clock.ts'
import type {
  AttemptCounter,
  AttemptWait,
  LimitState,
  RateLimit,
  RateLimiter,
} from '../../ports/rate-limiter.ts'
import { isMoreDecisive, waitAfterFailures } from '../../shared/limit-rules.ts'
import { Cells } from './cells.ts'

/** The limit for each name, so that a flood of addresses cannot evict the counters of keys. */
const cellsMax = 50_000

interface Window {
  count: number
  endsAtMs: number
}

interface Attempts {
  failures: number
  waitEndsAtMs: number
  endsAtMs: number
}

/** Counters in this process's memory. */
export function createInProcessRateLimiter(clock: Clock): RateLimiter {
  const windows = new Map<string, Cells<Window>>()
  const attempts = new Cells<Attempts>(cellsMax)
  const known = new Cells<{ endsAtMs: number }>(cellsMax)

  function windowOf({ name, cell, windowMs }: RateLimit, nowMs: number): Window {
    let cells = windows.get(name)
    if (cells === undefined) {
      cells = new Cells(cellsMax)
      windows.set(name, cells)
    }
    const window = cells.get(cell)
    if (window === undefined) {
      const opened = { count: 0, endsAtMs: nowMs + windowMs }
      cells.set(cell, opened, nowMs)
      return opened
    }
    // An end that is later than a window can have: the limit was changed, or the clock was set back.
    if (window.endsAtMs <= nowMs || window.endsAtMs > nowMs + windowMs) {
      window.count = 0
      window.endsAtMs = nowMs + windowMs
    }
    return window
  }

  function attemptsOf({ id, rule }: AttemptCounter, nowMs: number): Attempts | undefined {
    const known = attempts.get(id)
    if (known === undefined || known.endsAtMs <= nowMs) return undefined
    // A wait that is longer than the longest one: the clock was set back.
    return known.waitEndsAtMs > nowMs + rule.waitMaxMs ? undefined : known
  }

  function longestWait(counters: readonly AttemptCounter[], nowMs: number): AttemptWait | undefined {
    const waits = counters.map((counter) => ({
      counter,
      waitMs: (attemptsOf(counter, nowMs)?.waitEndsAtMs ?? 0) - nowMs,
    }))
    const longest = waits.toSorted((one, other) => other.waitMs - one.waitMs)[0]
    return longest && longest.waitMs > 0 ? longest : undefined
  }

  return {
    take(limits) {
      const nowMs = clock.nowMs()
      const isBeyond = (limit: RateLimit) =>
        windowOf(limit, nowMs).count + (limit.amount ?? 1) > limit.requests
      const isRefused = limits.some(isBeyond)
      let decisive: LimitState | undefined
      for (const limit of limits) {
        const window = windowOf(limit, nowMs)
        const isFull = isBeyond(limit)
        if (!isRefused) window.count += limit.amount ?? 1
        const state = stateOf(limit, window, { isFull, nowMs })
        if (decisive === undefined || isMoreDecisive(state, decisive)) decisive = state
      }
      if (decisive === undefined) throw new TypeError('a request is counted against one limit at least')
      return decisive
    },
    giveBack(limits) {
      for (const { name, cell, amount = 1 } of limits) {
        const window = windows.get(name)?.get(cell)
        if (window !== undefined) window.count = Math.max(0, window.count - amount)
      }
    },
    beginAttempt(counters) {
      const nowMs = clock.nowMs()
      const wait = longestWait(counters, nowMs)
      if (wait !== undefined) return wait
      for (const counter of counters) {
        const failures = (attemptsOf(counter, nowMs)?.failures ?? 0) + 1
        const waitEndsAtMs = nowMs + waitAfterFailures(counter.rule, failures)
        const endsAtMs = waitEndsAtMs + counter.rule.keepMs
        attempts.set(counter.id, { failures, waitEndsAtMs, endsAtMs }, nowMs)
      }
      return undefined
    },
    withdrawAttempt(counters) {
      const nowMs = clock.nowMs()
      for (const counter of counters) {
        const counted = attemptsOf(counter, nowMs)
        if (counted === undefined) continue
        counted.failures -= 1
        // It was begun, so there was no wait before it.
        counted.waitEndsAtMs = nowMs
      }
    },
    remember(id, keepMs) {
      const nowMs = clock.nowMs()
      known.set(id, { endsAtMs: nowMs + keepMs }, nowMs)
    },
    remembered(ids) {
      const nowMs = clock.nowMs()
      return ids.filter((id) => (known.get(id)?.endsAtMs ?? 0) > nowMs)
    },
    close: async () => {},
  }
}

function stateOf(
  limit: RateLimit,
  { count, endsAtMs }: Window,
  { isFull, nowMs }: { isFull: boolean; nowMs: number },
): LimitState {
  return {
    limit,
    isRefused: isFull,
    remaining: Math.max(0, limit.requests - count),
    resetAtMs: endsAtMs,
    resetInMs: endsAtMs - nowMs,
  }
}

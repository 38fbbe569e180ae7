import type { Clock } from '../../ports/clock.ts'
import type { LimitState, RateLimit, RateLimiter } from '../../ports/rate-limiter.ts'
import { attemptRule, decisiveState, waitAfterFailures } from '../../shared/limit-rules.ts'
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

  function attemptsOf(id: string, nowMs: number): Attempts | undefined {
    const known = attempts.get(id)
    if (known === undefined || known.endsAtMs <= nowMs) return undefined
    // A wait that is longer than the longest one: the clock was set back.
    return known.waitEndsAtMs > nowMs + attemptRule.waitMaxMs ? undefined : known
  }

  return {
    take(limits) {
      const nowMs = clock.nowMs()
      const counted = limits.map((limit) => ({ limit, window: windowOf(limit, nowMs) }))
      const isRefused = counted.some(({ limit, window }) => window.count >= limit.requests)
      const states = counted.map(({ limit, window }): LimitState => {
        const isFull = window.count >= limit.requests
        if (!isRefused) window.count += 1
        return stateOf(limit, { ...window, isFull, nowMs })
      })
      return decisiveState(states as [LimitState, ...LimitState[]])
    },
    attemptWaitMs(id) {
      const nowMs = clock.nowMs()
      return Math.max(0, (attemptsOf(id, nowMs)?.waitEndsAtMs ?? 0) - nowMs)
    },
    noteFailedAttempt(id) {
      const nowMs = clock.nowMs()
      const failures = (attemptsOf(id, nowMs)?.failures ?? 0) + 1
      const waitEndsAtMs = nowMs + waitAfterFailures(failures)
      attempts.set(id, { failures, waitEndsAtMs, endsAtMs: waitEndsAtMs + attemptRule.keepMs }, nowMs)
    },
    forgetFailedAttempts: (id) => attempts.delete(id),
    close: async () => {},
  }
}

interface CountedWindow extends Window {
  isFull: boolean
  nowMs: number
}

function stateOf(limit: RateLimit, { count, endsAtMs, isFull, nowMs }: CountedWindow): LimitState {
  return {
    limit,
    isRefused: isFull,
    remaining: Math.max(0, limit.requests - count),
    resetAtMs: endsAtMs,
    resetInMs: endsAtMs - nowMs,
  }
}

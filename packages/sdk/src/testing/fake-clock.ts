/** A clock that moves only when a test advances it. */
export interface FakeClock {
  /** Unix milliseconds, for the `now` options of this package. */
  readonly now: () => number
  readonly date: () => Date
  advance(ms: number): void
  set(moment: number | string | Date): void
}

/** Starts at `start`, by default 2026-01-01T00:00:00Z. */
export function fakeClock(start: number | string | Date = '2026-01-01T00:00:00Z'): FakeClock {
  let nowMs = millisecondsOf(start)
  return {
    now: () => nowMs,
    date: () => new Date(nowMs),
    advance(ms) {
      nowMs += ms
    },
    set(moment) {
      nowMs = millisecondsOf(moment)
    },
  }
}

function millisecondsOf(moment: number | string | Date): number {
  const ms = new Date(moment).getTime()
  if (Number.isNaN(ms)) throw new TypeError('A clock needs a moment: milliseconds, an ISO text or a Date')
  return ms
}

import type { Clock } from '../ports/clock.ts'

export const systemClock: Clock = { nowMs: () => Date.now() }

let lastMs = Number.NaN
let lastText = ''

/** Returns ISO 8601 in UTC with milliseconds. Caches the last one: many requests share one millisecond. */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString()
    lastMs = ms
  }
  return lastText
}

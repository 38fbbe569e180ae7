import type { Clock } from '../ports/clock.ts'

export const systemClock: Clock = { nowMs: () => Date.now() }

let lastMs = Number.NaN
let lastText = ''

/** ISO 8601 in UTC with milliseconds. Kept for the last moment asked: many requests share one millisecond. */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString()
    lastMs = ms
  }
  return lastText
}

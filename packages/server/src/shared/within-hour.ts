const hourMs = 3_600_000

/** Returns the times among these within the last hour. */
export function withinHour(times: readonly string[], nowMs: number): string[] {
  return times.filter((time) => Date.parse(time) > nowMs - hourMs)
}

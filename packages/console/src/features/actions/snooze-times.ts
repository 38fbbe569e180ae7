const hourMs = 3_600_000
const morning = 9

function morningIn(days: number, nowMs: number): Date {
  const date = new Date(nowMs)
  date.setDate(date.getDate() + days)
  date.setHours(morning, 0, 0, 0)
  return date
}

/** The times that a snooze offers, in the zone of the viewer. */
export function snoozeTimes(nowMs: number): { inThreeHours: string; tomorrow: string; nextWeek: string } {
  // Sunday is day 0; next Monday is always in the future.
  const daysToMonday = (8 - new Date(nowMs).getDay()) % 7 || 7
  return {
    inThreeHours: new Date(nowMs + 3 * hourMs).toISOString(),
    tomorrow: morningIn(1, nowMs).toISOString(),
    nextWeek: morningIn(daysToMonday, nowMs).toISOString(),
  }
}

/** The end of the person's day. */
export function midnight(nowMs: number): string {
  const time = new Date(nowMs)
  time.setHours(24, 0, 0, 0)
  return time.toISOString()
}

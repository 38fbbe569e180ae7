import { snoozeTimes } from './snooze-times.ts'

const hourMs = 3_600_000

/** The times that a later reply is offered, in the zone of the viewer. ISO 8601. */
export function planTimes(nowMs: number): { inOneHour: string; tomorrow: string; monday: string } {
  const { tomorrow, nextWeek: monday } = snoozeTimes(nowMs)
  return { inOneHour: new Date(nowMs + hourMs).toISOString(), tomorrow, monday }
}

/** A time as a field for local times holds it. */
export function localTime(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, 16)
}

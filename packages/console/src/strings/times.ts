import { locale, t } from './strings.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
const shortDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const dayWithYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' })

/** A length of time in its largest unit: `5 min`. */
export function lengthOf(ms: number): string {
  if (ms < minuteMs) return t.time.seconds(Math.max(0, Math.floor(ms / 1_000)))
  if (ms < hourMs) return t.time.minutes(Math.floor(ms / minuteMs))
  return ms < 2 * dayMs ? t.time.hours(Math.floor(ms / hourMs)) : t.time.days(Math.floor(ms / dayMs))
}

export function agoOf(iso: string, nowMs: number = Date.now()): string {
  return t.time.ago(lengthOf(nowMs - Date.parse(iso)))
}

/** For a row of a list: the time of today, else the day. */
export function shortTime(iso: string, nowMs: number = Date.now()): string {
  const date = new Date(iso)
  const now = new Date(nowMs)
  if (date.toDateString() === now.toDateString()) return clock.format(date)
  return (date.getFullYear() === now.getFullYear() ? shortDay : dayWithYear).format(date)
}

export function clockTime(iso: string): string {
  return clock.format(new Date(iso))
}

/** For the tooltip: everything, with the zone of the viewer. */
export function exactTime(iso: string): string {
  return full.format(new Date(iso))
}

/** The line above the messages of a day. */
export function dayName(iso: string, nowMs: number = Date.now()): string {
  const date = new Date(iso)
  if (date.toDateString() === new Date(nowMs).toDateString()) return t.time.today
  if (date.toDateString() === new Date(nowMs - dayMs).toDateString()) return t.time.yesterday
  return date.getFullYear() === new Date(nowMs).getFullYear()
    ? weekday.format(date)
    : dayWithYear.format(date)
}

export function isSameDay(a: string, b: string): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString()
}

/** For a sentence about something that began: the time of today, else the day and the time. */
export function momentTime(iso: string, nowMs: number = Date.now()): string {
  const isToday = new Date(iso).toDateString() === new Date(nowMs).toDateString()
  return isToday ? clockTime(iso) : `${shortTime(iso, nowMs)}, ${clockTime(iso)}`
}

export function secondTime(ms: number): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(ms)
}

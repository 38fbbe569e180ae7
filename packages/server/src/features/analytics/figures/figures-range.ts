import {
  type getConversationFigures,
  type InputOf,
  isDay,
  type Problem,
  validationFailure,
} from '@crmkit/core'
import { usageMonthsMax } from '../../../storage/rules/usage.ts'
import type { ZoneHours } from './zone-hours.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const daysDefault = 30
const daysMax = 366

/** Hours of UTC, ms since 1970: those that begin in `[startMs, endMs)`. */
export interface HourRange {
  startMs: number
  endMs: number
  /** The days of the zone that the range touches. */
  days: string[]
}

function refusal(field: string, message: string): Error {
  const problem: Problem = { field, message, rule: 'range', in: 'query' }
  return validationFailure([problem])
}

function nextDay(day: string, by = 1): string {
  return new Date(Date.parse(day) + by * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** The hours whose middle is in the range of days, and every hour that a range of moments touches. */
const firstHour = (text: string, zone: ZoneHours) =>
  isDay(text)
    ? Math.ceil((zone.startOf(text) - hourMs / 2) / hourMs) * hourMs
    : Math.floor(Date.parse(text) / hourMs) * hourMs
const hourBehind = (text: string, zone: ZoneHours) =>
  isDay(text)
    ? Math.ceil((zone.startOf(nextDay(text)) - hourMs / 2) / hourMs) * hourMs
    : Math.floor(Date.parse(text) / hourMs + 1) * hourMs

type Query = InputOf<typeof getConversationFigures>['query']

/** Throws VALIDATION_ERROR for a range that ends before it starts, is longer than 366 days, or begins before the stored figures. */
export function figuresRange(query: Query, { zone, nowMs }: { zone: ZoneHours; nowMs: number }): HourRange {
  const { startDate, endDate } = query
  const dayOf = (ms: number) => zone.of(Math.floor(ms / hourMs) * hourMs).day
  const to = endDate ?? dayOf(nowMs)
  const lastDay = isDay(to) ? to : dayOf(Date.parse(to))
  const from = startDate ?? nextDay(lastDay, 1 - daysDefault)
  const startMs = firstHour(from, zone)
  const endMs = hourBehind(to, zone)
  if (startMs >= endMs) throw refusal('endDate', 'must not be before startDate')
  const now = new Date(nowMs)
  const oldestMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - usageMonthsMax, 1)
  // A zone may be a day ahead.
  if (startMs < oldestMs - dayMs)
    throw refusal('startDate', `must be within the last ${usageMonthsMax} months`)
  const days = [isDay(from) ? from : dayOf(startMs)]
  while ((days.at(-1) ?? lastDay) < lastDay && days.length <= daysMax)
    days.push(nextDay(days.at(-1) ?? lastDay))
  if (days.length > daysMax) throw refusal('startDate', `must be at most ${daysMax} days before endDate`)
  return { startMs, endMs, days }
}

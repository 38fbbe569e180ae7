import { z } from 'zod'

/** A month in a query, `YYYY-MM`. */
export const queryMonth = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11')

/** The month of an ISO time, `YYYY-MM`, UTC. */
export function monthOf(time: string): string {
  return time.slice(0, 'YYYY-MM'.length)
}

/** Number of months from `from` to `to`; negative when `to` is earlier. */
export function monthsBetween(from: string, to: string): number {
  const count = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5))
  return count(to) - count(from)
}

/** Returns a number of consecutive months, oldest first, of which this month is the last. */
export function monthsUntil(month: string, count: number): string[] {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return Array.from({ length: count }, (_, index) =>
    monthOf(new Date(Date.UTC(year, number - count + index)).toISOString()),
  )
}

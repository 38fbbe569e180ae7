import { monthOf, monthsBetween, type Operation, operations, validationFailure } from '@crmkit/core'
import type { UsageRecord } from '../storage/kinds/usage.ts'
import { usageMonthsMax } from '../storage/rules/usage.ts'

/** Returns the month that a query asks for, by default the current one. Throws for a month whose counts are deleted. */
export function storedMonth(asked: string | undefined, now: string): string {
  const current = monthOf(now)
  if (asked === undefined) return current
  if (monthsBetween(asked, current) <= usageMonthsMax) return asked
  const message = `must be at most ${usageMonthsMax} months back`
  throw validationFailure([{ field: 'month', message, rule: 'min', in: 'query' }])
}

const outsidePlan: ReadonlySet<string> = new Set(
  operations
    .filter((operation: Operation) => operation.isOutsidePlan)
    .map(({ method, path }) => `${method} ${path}`),
)

/** Divides requests into those that a plan counts, and those of screens that people work in all day. */
export function byPlan(rows: readonly UsageRecord[]): { inPlan: UsageRecord[]; requestsOutsidePlan: number } {
  const isOutside = ({ method, path }: UsageRecord) => outsidePlan.has(`${method} ${path}`)
  return {
    inPlan: rows.filter((row) => !isOutside(row)),
    requestsOutsidePlan: requestsOf(rows.filter(isOutside)),
  }
}

/** Returns the requests for each value of a field, in the order of the values. */
export function requestsBy(field: 'path' | 'method', rows: readonly UsageRecord[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(row[field], (sums.get(row[field]) ?? 0) + row.requests)
  return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function requestsOf(rows: readonly UsageRecord[]): number {
  return rows.reduce((sum, { requests }) => sum + requests, 0)
}

import type { RetentionSettings } from '@crmkit/core'

/** The retention of a tenant that has chosen none. */
export const keepsAll: RetentionSettings = { closedConversationMonths: null, attachmentMonths: null }

/** Returns the moment that lies so many months of the calendar before another one, in UTC; the last day of a shorter month. */
export function monthsBefore(nowMs: number, months: number): string {
  const date = new Date(nowMs)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.toISOString()
}

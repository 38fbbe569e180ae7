import { monthOf } from '@crmkit/core'
import { isoTime } from '../../shared/clock.ts'

/** Returns the month of a time and the moment at which it ends. */
export function monthAt(nowMs: number): { month: string; endsAtMs: number } {
  const date = new Date(nowMs)
  return {
    month: monthOf(isoTime(nowMs)),
    endsAtMs: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1),
  }
}

import { z } from 'zod'
import { rule } from './rule.ts'

function isTimeZone(text: string): boolean {
  // Offsets such as +02:00 are accepted by the runtime too, and name no zone.
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/** The name of an IANA time zone. */
export const timeZoneName = z
  .string()
  .max(100)
  .refine(isTimeZone, rule('time_zone', 'must be an IANA time zone such as Europe/Berlin'))

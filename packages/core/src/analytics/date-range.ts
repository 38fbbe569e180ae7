import { z } from 'zod'
import { rule } from '../shared/rule.ts'
import { moment } from '../shared/text.ts'

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** The first moment of a range: a date and time, or a day in UTC, which counts from its start. */
export const rangeStart = z
  .string()
  .overwrite((text) => (dayPattern.test(text) ? `${text}T00:00:00.000Z` : text))
  .pipe(moment)

/** The last moment of a range: a date and time, or a day in UTC, which counts to its end. */
export const rangeEnd = z
  .string()
  .overwrite((text) => (dayPattern.test(text) ? `${text}T23:59:59.999Z` : text))
  .pipe(moment)

/** A date and time, or a day alone, which stays as it is: the zone of the request says when it begins and ends. */
export const dayOrMoment = z
  .string()
  .refine((text) => moment.safeParse(dayPattern.test(text) ? `${text}T00:00:00.000Z` : text).success, {
    ...rule('date', 'must be a date such as 2026-01-31, or a date and time with an offset'),
    abort: true,
  })
  // For the document.
  .regex(/^\d{4}-\d{2}-\d{2}(?:T.+)?$/)

export function isDay(text: string): boolean {
  return dayPattern.test(text)
}

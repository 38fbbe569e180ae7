import { z } from 'zod'
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

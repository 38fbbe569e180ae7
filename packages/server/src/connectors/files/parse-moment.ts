import { normalizeText } from '@crmkit/core'
import { monthOf } from './month-names.ts'

export type DateOrder = 'dmy' | 'mdy' | 'ymd'

export interface MomentRules {
  timeZone: string | null
  dateOrder: DateOrder
  /** Whether a number of 10 or 13 digits counts seconds or milliseconds since 1970. */
  hasEpochs?: boolean
}

/** A longer text is no moment. */
const momentLengthMax = 80

interface Time {
  /** Hour, minute, second. */
  clock: readonly [number, number, number]
  /** Minutes east of UTC; undefined: the time of the file's zone. */
  offset: number | undefined
}

/**
 * Reads a moment of a file: ISO 8601, numbers by the order of day, month and year, names of months in nine languages, with a time of
 * 12 or 24 hours and a zone. Any other text, and a bare number, is none.
 */
export function parseMoment(text: string, rules: MomentRules): string | null {
  if (text.length > momentLengthMax) return null
  const clean = normalizeText(text, 'NFKC').trim()
  if (/^\d+$/.test(clean)) return rules.hasEpochs ? epochOf(clean) : null
  const { date, time } = splitTime(clean)
  const day = time === undefined ? undefined : dayOf(date, rules.dateOrder)
  if (day === undefined || time === undefined) return null
  const { clock, offset } = time
  const local = inZone([...day, ...clock], offset === undefined ? rules.timeZone : null)
  if (local === null || offset === undefined) return local
  return new Date(Date.parse(local) - offset * 60_000).toISOString()
}

export function isEpoch(text: string): boolean {
  return /^(?:\d{10}|\d{13})$/.test(text)
}

function epochOf(digits: string): string | null {
  return isEpoch(digits) ? new Date(Number(digits) * (digits.length === 10 ? 1000 : 1)).toISOString() : null
}

const timeAtEnd =
  /^(.*?\d\.?,?|.*\p{L}\.?,?)(?:T|,? ?(?:at|um|à|alle|o) |,? )(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,]\d{1,9})?)? ?(?:([ap])\.? ?m\.?)? ?(Z|(?:UTC|GMT)?(?:[+-]\d{1,2}(?::?\d{2})?)?)?$/iu
const compact = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?$/

/** Divides a text into its day and its time; no time: it is none that can be read. */
function splitTime(text: string): { date: string; time: Time | undefined } {
  const short = compact.exec(text)
  const iso =
    short &&
    `${short[1]}-${short[2]}-${short[3]} ${short[4]}:${short[5]}:${short[6] ?? '00'}${short[7] ?? ''}`
  const one = (iso ?? text).replaceAll(/\s+/g, ' ').replace(/ \([\p{L} ]+\)$/u, '')
  const found = timeAtEnd.exec(one)
  if (found === null) return { date: one, time: { clock: [0, 0, 0], offset: undefined } }
  const [, date = '', hour = '', minute = '', second = '0', half, zone = ''] = found
  const hours = hourOf(Number(hour), half)
  const clock = [hours ?? 24, Number(minute), Number(second)] as const
  const isReal = clock[0] < 24 && clock[1] < 60 && clock[2] < 60
  return { date: date.replace(/,$/, ''), time: isReal ? { clock, offset: offsetOf(zone) } : undefined }
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

function offsetOf(zone: string): number | undefined {
  if (zone === '') return undefined
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? []
  const minutesEast = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? -minutesEast : minutesEast
}

const numbers = /^(\d{1,4})([./-]) ?(\d{1,2})\2 ?(\d{1,4})\.?$/
const eastern = /^(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]$/
const dayFirst =
  /^(?:\p{L}{2,12}\.?,? )?(\d{1,2})(?:st|nd|rd|th|º|\.)?[ -/](?:de |of )?(\p{L}{3,12})\.?,?[ -/](?:de )?(\d{4}|\d{2})$/iu
const monthFirst = /^(?:\p{L}{2,12}\.?,? )?(\p{L}{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/iu

type Day = readonly [year: number, month: number, day: number]

function dayOf(text: string, dateOrder: DateOrder): Day | undefined {
  const numeric = numbers.exec(text)
  if (numeric !== null) return ordered(numeric, dateOrder)
  const east = eastern.exec(text)
  if (east !== null) return [Number(east[1]), Number(east[2]), Number(east[3])]
  const first = dayFirst.exec(text)
  if (first !== null) return named(first[3], first[2], first[1])
  const second = monthFirst.exec(text)
  return second === null ? undefined : named(second[3], second[1], second[2])
}

function named(year = '', month = '', day = ''): Day | undefined {
  const number = monthOf(month)
  return number === undefined ? undefined : [fullYear(year), number, Number(day)]
}

function ordered([, first = '', , second = '', third = '']: RegExpExecArray, dateOrder: DateOrder): Day {
  const [a, b] = [Number(first), Number(second)]
  if (first.length === 4 || dateOrder === 'ymd') return [fullYear(first), b, Number(third)]
  return dateOrder === 'mdy' ? [fullYear(third), a, b] : [fullYear(third), b, a]
}

function fullYear(text: string): number {
  return Number(text) + (text.length <= 2 ? 2000 : 0)
}

/** The order that the numbers of a date prove; undefined for a date that needs none, or a text that is none. */
export function orderOfNumbers(text: string): 'dmy' | 'mdy' | 'either' | undefined {
  const found = /^(\d{1,2})([./-]) ?(\d{1,2})\2 ?\d{2,4}(?!\d)/.exec(text.slice(0, momentLengthMax).trim())
  if (found === null) return undefined
  const [first, second] = [Number(found[1]), Number(found[3])]
  if (first > 12 && second <= 12) return 'dmy'
  return first <= 12 && second > 12 ? 'mdy' : 'either'
}

/** Whether a date is another day when its numbers change places. */
export function isEitherOrder(text: string): boolean {
  if (orderOfNumbers(text) !== 'either') return false
  const [dmy, mdy] = (['dmy', 'mdy'] as const).map((dateOrder) =>
    parseMoment(text, { timeZone: null, dateOrder }),
  )
  return dmy !== mdy
}

/** Returns a wall-clock time of a zone as a moment; null when the calendar has no such day. */
function inZone(parts: readonly number[], timeZone: string | null): string | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  const utcMs = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(utcMs)
  const isReal =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isReal || hour > 23) return null
  if (timeZone === null) return date.toISOString()
  const shift = (ms: number) => wallClockMs(ms, timeZone) - ms
  // The second guess is right next to a change of the clocks too.
  const guess = utcMs - shift(utcMs)
  return new Date(utcMs - shift(guess)).toISOString()
}

const formats = new Map<string, Intl.DateTimeFormat>()

function wallClockMs(ms: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
  }
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
}

export interface MomentRules {
  timeZone: string | null
  dateOrder: 'dmy' | 'mdy' | 'ymd'
}

const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/
const other = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?:[ ,T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** Reads a moment of a file: ISO 8601, else by the order of day, month and year. A bare number is never a date. */
export function parseMoment(text: string, rules: MomentRules): string | null {
  const clean = text.trim()
  return parseIso(clean, rules) ?? parseOther(clean, rules)
}

function parseIso(text: string, { timeZone }: MomentRules): string | null {
  const found = iso.exec(text)
  if (found === null) return null
  const parts = found.slice(1, 7).map((part) => Number(part ?? 0))
  const offset = found[7]
  if (offset === undefined) return inZone(parts, timeZone)
  const at = inZone(parts, null)
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? []
  if (at === null || sign === undefined) return at
  const shiftMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '+' ? -1 : 1)
  return new Date(Date.parse(at) + shiftMs).toISOString()
}

function parseOther(text: string, { dateOrder, timeZone }: MomentRules): string | null {
  const found = other.exec(text)
  if (found === null) return null
  const [a, b, c] = found.slice(1, 4).map(Number) as [number, number, number]
  const time = found.slice(4, 7).map((part) => Number(part ?? 0))
  const isYearFirst = (found[1] ?? '').length === 4 || dateOrder === 'ymd'
  const [year, month, day] = isYearFirst ? [a, b, c] : dateOrder === 'mdy' ? [c, a, b] : [c, b, a]
  return inZone([year < 100 ? year + 2000 : year, month, day, ...time], timeZone)
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

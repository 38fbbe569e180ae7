const minute = 60
const hour = 60 * minute
const day = 24 * hour

const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 365 * day],
  ['month', 30 * day],
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', 1],
]

/** "3h ago", "in 2d", rounded to the nearest unit; returns a text that is not a time unchanged. */
export function relativeTime(iso: string, now: number = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000
  if (Number.isNaN(seconds)) return iso
  if (Math.abs(seconds) < 5) return 'now'
  const [unit, size] = largestUnit(Math.abs(seconds))
  return new Intl.RelativeTimeFormat('en', { style: 'narrow' }).format(Math.round(seconds / size), unit)
}

/** The largest unit of which a time is at least one, after rounding to the next smaller unit: 59.8 minutes are 1 hour. */
function largestUnit(seconds: number): readonly [Intl.RelativeTimeFormatUnit, number] {
  const found = units.find(([, size], index) => seconds >= size - (units[index + 1]?.[1] ?? 0) / 2)
  return found ?? ['second', 1]
}

/** "in 4h (14:03)" within two days, else "2027-02-20". */
export function deadline(iso: string, now: number = Date.now()): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  if (Math.abs(time.getTime() - now) >= 2 * day * 1000) return localDate(time)
  return `${relativeTime(iso, now)} (${clockTime(iso, now).slice(0, -':00'.length)})`
}

/** "14:03:07" in the zone of the terminal, with the date when it is another day. */
export function clockTime(iso: string, now: number = Date.now()): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':')
  return localDate(time) === localDate(new Date(now)) ? clock : `${localDate(time)} ${clock}`
}

function localDate(time: Date): string {
  return [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-')
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** "34 ms"; null without a value. */
export function milliseconds(value: number | null | undefined): string | null {
  return value === null || value === undefined ? null : `${Math.round(value * 10) / 10} ms`
}

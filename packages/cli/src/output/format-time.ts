const unitSizes: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** "3 hours ago", "in 2 days"; returns a text that is not a time unchanged. */
export function relativeTime(iso: string, now: number = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000
  if (Number.isNaN(seconds)) return iso
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })
  const unit = unitSizes.find(([, size]) => Math.abs(seconds) >= size)
  if (!unit) return Math.abs(seconds) < 5 ? 'now' : format.format(Math.trunc(seconds), 'second')
  return format.format(Math.trunc(seconds / unit[1]), unit[0])
}

/** "34 ms"; null without a value. */
export function milliseconds(value: number | null | undefined): string | null {
  return value === null || value === undefined ? null : `${Math.round(value * 10) / 10} ms`
}

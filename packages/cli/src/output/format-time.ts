const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** "3 hours ago", "in 2 days"; what is no time is given back as it is. */
export function relativeTime(iso: string, now: number = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000
  if (Number.isNaN(seconds)) return iso
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })
  const step = steps.find(([, size]) => Math.abs(seconds) >= size)
  if (!step) return Math.abs(seconds) < 5 ? 'now' : format.format(Math.trunc(seconds), 'second')
  return format.format(Math.trunc(seconds / step[1]), step[0])
}

/** "34 ms"; null where a point was not reached. */
export function milliseconds(value: number | null | undefined): string | null {
  return value === null || value === undefined ? null : `${Math.round(value * 10) / 10} ms`
}

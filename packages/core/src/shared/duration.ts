const unitSeconds: Readonly<Record<string, number>> = { s: 1, sec: 1, m: 60, min: 60, h: 3600, d: 86_400 }
const units: Record<string, string> = {
  s: 's',
  sec: 's',
  secs: 's',
  second: 's',
  seconds: 's',
  m: 'm',
  min: 'm',
  mins: 'm',
  minute: 'm',
  minutes: 'm',
  h: 'h',
  hour: 'h',
  hours: 'h',
  d: 'd',
  day: 'd',
  days: 'd',
}
const alone = new Set(['second', 'minute', 'hour', 'day'])

/**
 * Seconds of a duration text such as `30s`, `5 minutes` or `hour` (= 1 hour).
 * Undefined when the text is not one of the contract's forms.
 */
export function parseDuration(text: string): number | undefined {
  if (alone.has(text)) return unitSeconds[units[text] ?? '']
  const match = /^(\d{1,9})\s*([a-z]+)$/.exec(text)
  const name = match?.[2] ?? ''
  const unit = Object.hasOwn(units, name) ? units[name] : undefined
  if (match === null || unit === undefined) return undefined
  return Number(match[1]) * (unitSeconds[unit] ?? 0)
}

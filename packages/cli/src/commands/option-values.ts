import { InvalidArgumentError, Option } from '@commander-js/extra-typings'

/** `a,b`, and the option given again adds to what there is. */
export function addToList(text: string, previous: readonly string[] | undefined): string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
  return [...(previous ?? []), ...items]
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is not a whole number.')
  return Number(text)
}

export function isoMoment(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw new InvalidArgumentError('It is not a time such as 2027-01-31 or 2027-01-31T09:30:00Z.')
  return new Date(time).toISOString()
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** `90d` in seconds; `0s` is a duration, too. */
export function durationSeconds(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text.trim()) ?? []
  if (count === undefined) throw new InvalidArgumentError('It is not a duration such as 12h, 90d or 8w.')
  return Number(count) * (unitSeconds[unit] ?? 0)
}

/** `90d` as the moment in that time from now. */
export function momentAfter(text: string): string {
  const seconds = durationSeconds(text)
  if (seconds === 0) throw new InvalidArgumentError('It is no time at all.')
  return new Date(Date.now() + seconds * 1000).toISOString()
}

/** `24h` as the moment so long ago; else a time. */
export function pastMoment(text: string): string {
  if (!/^\d+[smhdw]$/.test(text.trim())) return isoMoment(text)
  return new Date(Date.now() - durationSeconds(text) * 1000).toISOString()
}

/** Only one of two flags for a yes-or-no filter; neither means all. */
export function eitherFlag(isYes: true | undefined, isNo: true | undefined): boolean | undefined {
  if (isYes === isNo) return undefined
  return isYes === true
}

export const limitOption = () =>
  new Option('--limit <n>', 'at most so many rows').argParser(positiveNumber).default(20)
export const allOption = () => new Option('--all', 'every row').conflicts('limit')
export const cursorOption = () => new Option('--cursor <cursor>', 'go on where another list ended')

function positiveNumber(text: string): number {
  const number = wholeNumber(text)
  if (number === 0) throw new InvalidArgumentError('It must be at least 1.')
  return number
}

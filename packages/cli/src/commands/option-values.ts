import { InvalidArgumentError, Option } from '@commander-js/extra-typings'

/** Parses `a,b`; a repeated option adds to the list. */
export function addToList(text: string, previous: readonly string[] | undefined): string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
  return [...(previous ?? []), ...items]
}

/** As `addToList`, but it refuses any other value. */
export function oneOf(choices: readonly string[]) {
  return (text: string, previous: string[] | undefined) => {
    const items = addToList(text, previous)
    if (items.every((item) => choices.includes(item))) return items
    throw new InvalidArgumentError(`Allowed values: ${choices.join(', ')}.`)
  }
}

const listValues = new WeakMap<object, readonly string[]>()

/** Names the values that a comma list can hold, for completion and `crm commands`. The parser still decides. */
export function listing<O extends object>(option: O, values: readonly string[]): O {
  listValues.set(option, values)
  return option
}

/** Returns the values that one item of the option's list can have; null for any text. */
export function listedValues(option: object): readonly string[] | null {
  return listValues.get(option) ?? null
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.')
  return Number(text)
}

export function isoMoment(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw new InvalidArgumentError('Expected a time such as 2027-01-31 or 2027-01-31T09:30:00Z.')
  return new Date(time).toISOString()
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** Parses `90d` to seconds; `0s` is a valid duration. */
export function durationSeconds(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text.trim()) ?? []
  if (count === undefined) throw new InvalidArgumentError('Expected a duration such as 12h, 90d or 8w.')
  return Number(count) * (unitSeconds[unit] ?? 0)
}

/** Parses `90d` to the time 90 days from now. */
export function momentAfter(text: string): string {
  const seconds = durationSeconds(text)
  if (seconds === 0) throw new InvalidArgumentError('The duration must not be zero.')
  return new Date(Date.now() + seconds * 1000).toISOString()
}

/** Parses `2h` to the time in two hours, or any other text as a time. */
export function futureMoment(text: string): string {
  return /^\d+[smhdw]$/.test(text.trim()) ? momentAfter(text) : isoMoment(text)
}

/** Parses `24h` to the time 24 hours ago, or any other text as a time. */
export function pastMoment(text: string): string {
  if (!/^\d+[smhdw]$/.test(text.trim())) return isoMoment(text)
  return new Date(Date.now() - durationSeconds(text) * 1000).toISOString()
}

/** The value of a pair of flags such as `--active` and `--inactive`; undefined for none or both. */
export function eitherFlag(isYes: true | undefined, isNo: true | undefined): boolean | undefined {
  if (isYes === isNo) return undefined
  return isYes === true
}

export const limitOption = () =>
  new Option('--limit <n>', 'the maximum number of rows').argParser(positiveNumber).default(20)
export const allOption = () => new Option('--all', 'print all rows').conflicts('limit')
export const cursorOption = () => new Option('--cursor <cursor>', 'continue after the end of an earlier list')

function positiveNumber(text: string): number {
  const number = wholeNumber(text)
  if (number === 0) throw new InvalidArgumentError('The number must be at least 1.')
  return number
}

/** Parses a number of months, or the word `never`. */
export function monthsOrNever(text: string): number | 'never' {
  return text === 'never' ? text : wholeNumber(text)
}

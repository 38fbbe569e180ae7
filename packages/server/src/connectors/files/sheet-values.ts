/* How the numbers of a workbook are read: the format of a cell says whether one is a date, and which zeros belong to it. */

export type NumberFormat =
  | { kind: 'plain' }
  | { kind: 'moment'; hasDay: boolean; hasTime: boolean }
  /** Such as a postcode: zeros stand for digits, other signs for themselves. */
  | { kind: 'digits'; signs: readonly string[] }

const plain: NumberFormat = { kind: 'plain' }

/** The formats that a workbook does not write out, by their numbers. */
function builtInFormatOf(id: number): NumberFormat {
  const isIn = (from: number, to: number) => id >= from && id <= to
  if (id === 22) return { kind: 'moment', hasDay: true, hasTime: true }
  if (isIn(18, 21) || isIn(32, 33) || isIn(45, 47)) return { kind: 'moment', hasDay: false, hasTime: true }
  if (isIn(14, 17) || isIn(27, 36) || isIn(50, 58)) return { kind: 'moment', hasDay: true, hasTime: false }
  return plain
}

/** @param code How the workbook writes the format; undefined: it is built in. */
export function numberFormatOf(id: number, code?: string): NumberFormat {
  if (code === undefined) return builtInFormatOf(id)
  const signs = signsOf(code)
  const letters = signs.flatMap(({ sign, isLiteral }) => (isLiteral ? [] : [sign.toLowerCase()]))
  const has = (letter: string) => letters.includes(letter)
  const hasTime = has('h') || has('s')
  const hasDay = has('y') || has('d') || (has('m') && !hasTime)
  if (hasDay || hasTime) return { kind: 'moment', hasDay, hasTime }
  const isOfDigits =
    letters.filter((letter) => letter === '0').length > 1 &&
    letters.every((letter) => '0-() '.includes(letter))
  return isOfDigits ? { kind: 'digits', signs: signs.map(({ sign }) => sign) } : plain
}

/** No format is longer. */
const codeLengthMax = 255

interface FormatSign {
  sign: string
  isLiteral: boolean
}

/** A literal text, a sign behind a backslash, one for the width of a column, a colour, and any other sign. */
const formatToken = /"([^"]*)"?|\\(.)|[_*].?|\[([^\]]*)\]?|am\/pm|a\/p|(.)/giu

/** Returns the signs of a format of positive numbers, without colours and conditions; `[h]` counts as `h`, `AM/PM` not at all. */
function signsOf(code: string): FormatSign[] {
  const signs: FormatSign[] = []
  for (const [, literal, escaped, inner, sign] of code.slice(0, codeLengthMax).matchAll(formatToken)) {
    if (sign === ';') break
    for (const one of literal ?? escaped ?? '') signs.push({ sign: one, isLiteral: true })
    if (sign !== undefined) signs.push({ sign, isLiteral: false })
    if (/^(?:h+|m+|s+)$/i.test(inner ?? '')) signs.push({ sign: 'h', isLiteral: false })
  }
  return signs
}

const dayMs = 24 * 3600 * 1000
const daysTo1970 = 25_569
const daysTo1904 = 1_462
/** The last day of the year 9999. */
const daysMax = 2_958_466

/** Returns the text of a number as a person sees it, without what is only for the eye: a date as ISO 8601, other numbers in digits. */
export function textOfNumber(value: string, format: NumberFormat, { is1904 = false } = {}): string {
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return value.trim()
  if (format.kind === 'moment') return textOfMoment(number, format, is1904) ?? plainText(value, number)
  if (format.kind === 'digits') return textOfDigits(value, format.signs) ?? plainText(value, number)
  return plainText(value, number)
}

/** Undefined for a number that is no time. */
function textOfMoment(
  number: number,
  { hasDay, hasTime }: Extract<NumberFormat, { kind: 'moment' }>,
  is1904: boolean,
): string | undefined {
  if (number < 0 || number >= daysMax) return undefined
  if (!hasDay) return textOfTime(Math.round(number * 24 * 3600))
  // The year 1900 has a 29 February there.
  const days = is1904 ? number + daysTo1904 : number < 60 ? number + 1 : number
  const ms = Math.round((days - daysTo1970) * 24 * 3600) * 1000
  const text = new Date(ms).toISOString()
  return hasTime || ms % dayMs !== 0 ? text.slice(0, 19) : text.slice(0, 10)
}

function textOfTime(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

function textOfDigits(value: string, signs: readonly string[]): string | undefined {
  if (!/^\d{1,30}$/.test(value)) return undefined
  const zeros = signs.filter((sign) => sign === '0').length
  const digits = value.padStart(zeros, '0')
  // More digits than zeros stand before the first one.
  let at = digits.length - zeros
  let text = ''
  let isFirst = true
  for (const sign of signs) {
    if (sign !== '0') text += sign
    else {
      text += isFirst ? digits.slice(0, at + 1) : digits[at]
      isFirst = false
      at += 1
    }
  }
  return text.trim()
}

/** A number that was computed has more digits than it means; an integer keeps its own. */
const digitsOfNumber = 15
const exactMax = 1e15

function plainText(value: string, number: number): string {
  if (/^-?\d{1,400}$/.test(value)) return value
  const rounded = Number(number.toPrecision(digitsOfNumber))
  // So a long number that lost its last digits shows itself.
  if (Math.abs(rounded) >= exactMax) return rounded.toExponential().toUpperCase()
  const text = String(rounded)
  // bounded: at most 20 decimals
  return text.includes('e') ? rounded.toFixed(20).replace(/0+$/, '') : text
}

import { z } from 'zod'
import { asciiDomain, splitEmail } from './fold.ts'
import { normalizeText } from './normalize.ts'
import { rule } from './rule.ts'

// C0, DEL and C1.
const anyControl = /[\u0000-\u001f\u007f-\u009f]/
// The same without newline and tab.
const controlButLines = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
const noControl = rule('control', 'must not hold control characters')

function isOneLine(text: string): boolean {
  return !anyControl.test(text) && text.isWellFormed()
}

function isLines(text: string): boolean {
  return !controlButLines.test(text) && text.isWellFormed()
}

/**
 * Trims and composes a text to NFC. A text that is too long whatever composing does stays as it is, for `.max()` to
 * refuse. NFC shortens no text to less than a quarter (UAX #15).
 */
export function composeText(maxLength: number): (text: string) => string {
  const rawLengthMax = 4 * maxLength
  return (text) => {
    const trimmed = text.trim()
    return trimmed.length > rawLengthMax ? trimmed : normalizeText(trimmed, 'NFC')
  }
}

/** A one-line text: trimmed, NFC, without control characters, not blank. */
export function requiredText(maxLength: number) {
  return z.string().overwrite(composeText(maxLength)).min(1).max(maxLength).refine(isOneLine, noControl)
}

/** A one-line text that may be missing: blank and null both mean "no value". */
export function optionalText(maxLength: number) {
  return z
    .string()
    .overwrite(composeText(maxLength))
    .max(maxLength)
    .refine(isOneLine, noControl)
    .nullable()
    .transform(blankToNull)
    .optional()
}

export function blankToNull(text: string | null): string | null {
  return text === '' ? null : text
}

/** CRLF and lone CR become LF, trailing blanks are removed; nothing else changes, so quoted code keeps its shape. */
function normalizeLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd()
}

/** A text of several lines (message content, notes, reasons), not blank. */
export function requiredLines(maxLength: number) {
  return z.string().overwrite(normalizeLines).min(1).max(maxLength).refine(isLines, noControl)
}

/** As `requiredLines`, but it may be empty. */
export function lines(maxLength: number) {
  return z.string().overwrite(normalizeLines).max(maxLength).refine(isLines, noControl)
}

/** As `lines`; null, blank and none at all are the empty text. */
export function linesOrNone(maxLength: number) {
  return lines(maxLength)
    .nullable()
    .optional()
    .transform((text) => text ?? '')
}

/** As `requiredLines`, but blank and null both mean "no value". */
export function optionalLines(maxLength: number) {
  return z
    .string()
    .overwrite(normalizeLines)
    .max(maxLength)
    .refine(isLines, noControl)
    .nullable()
    .transform(blankToNull)
    .optional()
}

const emailLengthMax = 254
// One @, no blanks, a dot in the domain: what every mail system accepts, checked for form only.
const emailPattern =
  /^[^\s@<>(),;:"[\]\\]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u

const invisibleMark = /\p{Cf}/u

/** Two addresses that look the same must be the same: marks that no reader sees would tell them apart. */
function hasInvisibleMark(text: string): boolean {
  return invisibleMark.test(splitEmail(text)?.local ?? '')
}

export function isEmail(text: string): boolean {
  if (text.length > emailLengthMax || anyControl.test(text) || hasInvisibleMark(text)) return false
  const { local = '', domain = '' } = splitEmail(text) ?? {}
  const host = asciiDomain(domain)
  return host !== null && emailPattern.test(`${local}@${host}`)
}

const emailForm = rule('email', 'must be an e-mail address')
const visible = {
  ...rule('invisible', 'must not hold invisible characters before the @'),
  abort: true,
}
const isVisible = (text: string) => !hasInvisibleMark(text)

export const requiredEmail = z
  .string()
  .overwrite(composeText(emailLengthMax))
  .min(1)
  .max(emailLengthMax)
  .refine(isVisible, visible)
  .refine(isEmail, emailForm)
  .meta({ format: 'email' })
export const optionalEmail = z
  .string()
  .overwrite(composeText(emailLengthMax))
  .max(emailLengthMax)
  .refine(isVisible, visible)
  .refine((text) => text === '' || isEmail(text), emailForm)
  .nullable()
  .transform(blankToNull)
  .optional()

export const timestamp = z.iso.datetime({ precision: 3 })
export const optionalTimestamp = timestamp.nullable()

const momentForm = 'must be an ISO 8601 date and time such as 2026-01-31T09:30:00Z'

/** A moment in a request: ISO 8601 with an offset or Z; stored in UTC with milliseconds. */
export const moment = z.iso
  .datetime({ offset: true, message: momentForm, abort: true })
  .overwrite((text) => new Date(text).toISOString())
  // An offset can move it out of the years with four digits, and only those can be compared as text.
  .refine((text) => text.length === '2026-01-01T00:00:00.000Z'.length, rule('datetime', momentForm))

/** One object of a source. Sources send whatever they like, so each value is looked at before it is used. */
export type Row = Readonly<Record<string, unknown>>

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value as an object; an empty one for anything else. */
export function rowOf(value: unknown): Row {
  return isRow(value) ? value : {}
}

/** Returns the objects of a list; none for anything else. */
export function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter(isRow) : []
}

export function textsOf(value: unknown, lengthMax = 2_000): string[] {
  return Array.isArray(value) ? value.flatMap((one) => textOf(one, lengthMax) ?? []) : []
}

/** Returns a text that is not blank, without half a character at its end. */
export function textOf(value: unknown, lengthMax = 2_000): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return cut(value, lengthMax)
}

export function cut(text: string, lengthMax: number): string {
  return text.length > lengthMax ? text.slice(0, lengthMax).toWellFormed() : text
}

/** Returns an id as a text; undefined where there is none. Zero is none: sources write it for "nobody". */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value !== 0 ? String(value) : undefined
  return typeof value === 'string' && value !== '' && value !== '0' && value.length <= 200 ? value : undefined
}

/** Returns a time as the package has it, of an ISO text or of seconds since 1970. */
export function timeOf(value: unknown): string | undefined {
  const at = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : NaN
  if (Number.isNaN(at) || Math.abs(at) > 8.64e15) return undefined
  const text = new Date(at).toISOString()
  return text.length === '2026-01-01T00:00:00.000Z'.length ? text : undefined
}

/** Returns the seconds since 1970 of a time of the package. */
export function secondsOf(time: string): number {
  return Math.floor(Date.parse(time) / 1000)
}

export function isAddress(text: string | undefined): text is string {
  return text !== undefined && text.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(text)
}

/** A line of a package is at most 1 MB, and other fields need space too. */
const contentBytesMax = 900_000

/** Cuts a text that no line of a package could hold. */
export function contentOf(value: unknown): { content: string; isCut: boolean } {
  const whole = typeof value === 'string' ? value.toWellFormed() : ''
  let content = whole
  for (;;) {
    // A line break or a quotation mark takes more bytes as JSON than as text.
    const bytes = Buffer.byteLength(JSON.stringify(content))
    if (bytes <= contentBytesMax) return { content, isCut: content.length < whole.length }
    content = cut(content, Math.floor((content.length * contentBytesMax) / bytes))
  }
}

const fieldsMax = 200
const fieldBytesMax = 32 * 1024

export interface Fields {
  readonly customFields: Record<string, Json>
  /** How many values did not fit. */
  readonly leftOut: number
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** Makes custom fields of named values: blank ones are none, equal names get a number, and what did not fit is counted. */
export function fieldsOf(entries: Iterable<readonly [name: string, value: unknown]>): Fields {
  const fields = new Map<string, Json>()
  let bytes = 2
  let leftOut = 0
  for (const [name, value] of entries) {
    if (isBlank(value)) continue
    const key = freeName(cut(name.trim() || 'Field', 120), fields)
    const added = Buffer.byteLength(JSON.stringify({ [key]: value })) + 1
    if (fields.size >= fieldsMax || bytes + added > fieldBytesMax) leftOut += 1
    else {
      fields.set(key, value as Json)
      bytes += added
    }
  }
  return { customFields: Object.fromEntries(fields), leftOut }
}

function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isRow(value) && Object.keys(value).length === 0
}

function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  // The names that a plain object has a meaning for of its own.
  const name = /^(__proto__|constructor|prototype)$/.test(wanted) ? `${wanted} (field)` : wanted
  let free = name
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`
  return free
}

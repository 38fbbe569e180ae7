import { forbiddenKeys, normalizeText } from '@crmkit/core'

/* An import cleans values where the API would refuse them. Source: connectors 6. */

export interface CleanText {
  text: string | null
  isCut: boolean
}

const anyControl = /[\u0000-\u001f\u007f-\u009f]/g
const controlButLines = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

interface TextRule {
  lengthMax: number
  /** Newlines and tabs stay. */
  hasLines?: boolean
}

/** Returns a text that the API would take: composed, without control characters, trimmed and cut. */
export function cleanText(value: unknown, { lengthMax, hasLines = false }: TextRule): CleanText {
  if (typeof value !== 'string') return { text: null, isCut: false }
  // Text beyond this can never be kept, so it is not read either.
  const bounded = value.length > 8 * lengthMax ? value.slice(0, 8 * lengthMax) : value
  const lines = hasLines ? bounded.replace(/\r\n?/g, '\n') : bounded
  const shown = lines.replace(hasLines ? controlButLines : anyControl, ' ').replace(/\p{Cs}/gu, ' ')
  const clean = normalizeText(shown, 'NFC').trim()
  if (clean.length <= lengthMax)
    return { text: clean === '' ? null : clean, isCut: bounded.length < value.length }
  // A surrogate pair is never cut in two.
  const end = /[\ud800-\udbff]/.test(clean.charAt(lengthMax - 1)) ? lengthMax - 1 : lengthMax
  return { text: clean.slice(0, end).trimEnd(), isCut: true }
}

const keysMax = 200
const bytesMax = 32 * 1024
const keyLengthMax = 128

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value, { lengthMax: bytesMax, hasLines: true }).text
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(cleanValue)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      forbiddenKeys.has(key) ? [] : [[key, cleanValue(inner)]],
    ),
  )
}

/** Returns the custom fields that fit into 200 keys and 32 KB: the longest values are left out first. `left` names them. */
export function cleanCustomFields(fields: Readonly<Record<string, unknown>>): {
  fields: Record<string, unknown>
  left: string[]
} {
  const left: string[] = []
  const clean = Object.entries(fields).flatMap(([key, value]) => {
    const name = cleanText(key, { lengthMax: keyLengthMax }).text
    const inner = cleanValue(value)
    if (name === null || forbiddenKeys.has(name) || hasForbiddenKey(value)) left.push(key)
    return name === null || forbiddenKeys.has(name) || inner === null ? [] : [[name, inner] as const]
  })
  const size = new Map(clean.map(([name, value]) => [name, bytesOf(name) + bytesOf(value) + 2]))
  const kept = new Set(size.keys())
  // The object of the provider and the reference to the source need space beside them.
  let total = [...size.values()].reduce((sum, bytes) => sum + bytes, 1024)
  const longestFirst = [...size].sort(([, a], [, b]) => b - a)
  for (const [name, bytes] of longestFirst) {
    if (total <= bytesMax && kept.size <= keysMax - 2) break
    kept.delete(name)
    left.push(name)
    total -= bytes
  }
  return { fields: Object.fromEntries(clean.filter(([name]) => kept.has(name))), left }
}

function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => forbiddenKeys.has(key) || hasForbiddenKey(inner))
}

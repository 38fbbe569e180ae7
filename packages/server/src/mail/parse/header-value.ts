import { decodeText } from './decode-text.ts'

/** A header such as Content-Type: its value in lower case, and its parameters by their lower-case names. */
export interface HeaderValue {
  value: string
  params: Readonly<Record<string, string>>
}

const paramsMax = 200
/** Pieces of one parameter (RFC 2231). */
const piecesMax = 1_000

/** Reads a header with parameters, also in the forms that mail programs write: names with blanks and without quotes. */
export function readHeaderValue(header = ''): HeaderValue {
  const [first = '', ...rest] = segmentsOf(header)
  const params = new Map<string, string>()
  const pieces = new Map<string, { index: number; isEncoded: boolean; text: string }[]>()
  for (const segment of rest.slice(0, paramsMax)) {
    const equals = segment.indexOf('=')
    if (equals === -1) continue
    const name = segment.slice(0, equals).trim().toLowerCase()
    const text = unquoted(segment.slice(equals + 1).trim())
    const [, base = '', index = '0', encoded = ''] = /^([^*\s]{1,100})\*(\d{1,4})?(\*)?$/.exec(name) ?? []
    if (base === '') {
      if (!params.has(name)) params.set(name, text)
      continue
    }
    const isEncoded = encoded === '*' || /\*$/.test(name)
    const known = pieces.get(base) ?? []
    if (known.length < piecesMax) known.push({ index: Number(index), isEncoded, text })
    pieces.set(base, known)
  }
  for (const [name, found] of pieces) params.set(name, joined(found))
  return {
    value: (/^[^\s;()]+/.exec(first.trim())?.[0] ?? '').toLowerCase(),
    params: Object.fromEntries(params),
  }
}

/** Splits at semicolons outside of quotes, in one walk. */
function segmentsOf(header: string): string[] {
  const segments: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < header.length && segments.length <= paramsMax; at++) {
    const char = header.charAt(at)
    if (char === '\\' && isQuoted) at += 1
    else if (char === '"') isQuoted = !isQuoted
    else if (char === ';' && !isQuoted) {
      segments.push(header.slice(start, at))
      start = at + 1
    }
  }
  segments.push(header.slice(start))
  return segments
}

function unquoted(text: string): string {
  if (!text.startsWith('"')) return text.replace(/\s{0,9}\([^()]{0,200}\)$/, '')
  let result = ''
  for (let at = 1; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '"') break
    // Programs of Windows write a path without escaping it.
    const isEscape = char === '\\' && /["\\]/.test(text.charAt(at + 1))
    result += isEscape ? text.charAt(++at) : char
  }
  return result
}

/** The first piece names the charset of all that are encoded. */
function joined(pieces: { index: number; isEncoded: boolean; text: string }[]): string {
  const ordered = pieces.toSorted((a, b) => a.index - b.index)
  const [, charset = '', start = ''] =
    /^([^']{0,60})'[^']{0,60}'([\s\S]*)$/.exec(ordered[0]?.text ?? '') ?? []
  const isNamed = ordered[0]?.isEncoded === true && ordered[0].text.includes("'")
  const bytes = ordered.map(({ isEncoded, text }, at) => {
    const value = at === 0 && isNamed ? start : text
    return isEncoded ? percentDecoded(value) : Buffer.from(value)
  })
  return decodeText(Buffer.concat(bytes), charset === '' ? 'utf-8' : charset)
}

function percentDecoded(text: string): Buffer {
  const plain = Buffer.from(text).toString('latin1')
  const decoded = plain.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(decoded, 'latin1')
}

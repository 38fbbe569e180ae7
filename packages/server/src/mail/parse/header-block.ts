import { decodeText } from './decode-text.ts'

/** The most bytes of headers that are read. */
const headerBytesMax = 262_144

/** The headers of a mail by their lower-case names, in their order, unfolded; encoded words stay encoded. */
export interface Headers {
  all(name: string): readonly string[]
  first(name: string): string | undefined
}

/** Reads the headers before the first empty line. A header in a charset other than UTF-8 is read as the one that it shows. */
export function readHeaders(bytes: Uint8Array): Headers {
  const values = new Map<string, string[]>()
  for (const line of unfold(headerText(bytes))) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trimEnd().toLowerCase()
    if (!/^[\x21-\x7e]+$/.test(name)) continue
    const value = line.slice(colon + 1).trim()
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  const all = (name: string) => values.get(name) ?? []
  return { all, first: (name) => all(name)[0] }
}

/**
 * Returns how many bytes of a head are headers. Lines behind the last header are words of a mail whose header no empty line
 * ends, and so is everything from a line with two hyphens on, which begins a part.
 */
export function lengthOfHeaders(head: Uint8Array): number {
  let end = 0
  let isHeader = false
  let at = 0
  for (const line of Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1').split('\n')) {
    const from = at
    at = Math.min(from + line.length + 1, head.length)
    if (line.startsWith('--')) return from
    // A short name before a colon may be a header that is broken, which nobody has to read.
    isHeader = /^[ \t]/.test(line) ? isHeader : /^[^:]{0,40}:/.test(line)
    if (isHeader || (line.trim() === '' && end === from)) end = at
  }
  return end
}

function headerText(bytes: Uint8Array): string[] {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headerBytesMax))
  const lines: string[] = []
  let start = 0
  while (start < block.length) {
    const newline = block.indexOf(0x0a, start)
    const end = newline === -1 ? block.length : newline
    const hasReturn = end > start && block[end - 1] === 0x0d
    const line = block.subarray(start, hasReturn ? end - 1 : end)
    if (line.length === 0) break
    lines.push(decodeText(line, 'utf-8'))
    start = end + 1
  }
  return lines
}

/** A line that begins with a space or a tab continues the one before it. */
function unfold(lines: readonly string[]): string[] {
  const unfolded: string[][] = []
  for (const line of lines) {
    const last = unfolded.at(-1)
    if (/^[ \t]/.test(line) && last !== undefined) last.push(line)
    else unfolded.push([line])
  }
  return unfolded.map((parts) => parts.join(''))
}

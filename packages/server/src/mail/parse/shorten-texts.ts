import { contentLengthMax } from '@crmkit/core'
import { readHeaders } from './header-block.ts'

/** Of smaller mails every text fits into the memory of the parser. */
const wholeBytesMax = 128 * 1024
/**
 * Of all texts of a type together, because a message shows them together: more bytes than the longest message has in every
 * usual charset and encoding.
 */
const keptMax = { bytes: 512 * 1024, lines: contentLengthMax }
const partsMax = 2_000
const headBytesMax = 256 * 1024
const lineBytesMax = 80
const boundaryBytesMax = 220

export type ShownType = 'text/plain' | 'text/html'

interface Shortened {
  bytes: Uint8Array
  /** The types of the texts that lost their end. */
  cut: ReadonlySet<ShownType>
}

/**
 * Leaves out the end of texts that are longer than any message may be. The parser keeps every line on its own: a mail of 26 MB of
 * text would need more memory than it may have, and nobody would see its beginning. A mail whose parts are not clear stays whole.
 */
export function shortenTexts(bytes: Uint8Array): Shortened {
  const cut = new Set<ShownType>()
  const left = { 'text/plain': { ...keptMax }, 'text/html': { ...keptMax } }
  const whole = { bytes, cut: new Set<ShownType>() }
  if (bytes.length <= wholeBytesMax) return whole
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const boundaries = new Set<string>()
  const kept: Buffer[] = []
  for (let at = 0, parts = 0; at < raw.length; parts++) {
    const part = readPart(raw, at, boundaries)
    if (part === undefined || parts > partsMax) return whole
    const { type, bodyAt } = part
    const end = nextBoundary(raw, bodyAt, boundaries)
    const keptEnd = type === undefined ? end : endOfKept(raw, { from: bodyAt, end, left: left[type] })
    if (type !== undefined && keptEnd < end) cut.add(type)
    kept.push(raw.subarray(at, keptEnd))
    at = end
  }
  return cut.size === 0 ? whole : { bytes: Buffer.concat(kept), cut }
}

interface Part {
  /** Undefined: not shown as text. */
  type: ShownType | undefined
  bodyAt: number
}

/**
 * Reads the header of a part, which begins at the line of its boundary, and notes the boundary that the part announces. Undefined:
 * the header has no end.
 */
function readPart(raw: Buffer, at: number, boundaries: Set<string>): Part | undefined {
  const headAt = at === 0 ? 0 : afterLine(raw, at)
  // Behind the last boundary of a multipart is nothing that is shown.
  if (at > 0 && isClosing(raw.subarray(at, headAt))) return { type: undefined, bodyAt: headAt }
  const length = headLength(raw.subarray(headAt, headAt + headBytesMax))
  if (length === undefined) return undefined
  const headers = readHeaders(raw.subarray(headAt, headAt + length))
  const contentType = headers.first('content-type') ?? 'text/plain'
  const disposition = headers.first('content-disposition') ?? ''
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary !== undefined) boundaries.add(boundary.trimEnd())
  const isFile = /^\s*attachment\b|\bfilename\b/i.test(disposition) || /;\s*name\b/i.test(contentType)
  const [, type] = /^\s*(text\/(?:plain|html))\b/i.exec(contentType) ?? []
  return {
    type: isFile ? undefined : (type?.toLowerCase() as ShownType | undefined),
    bodyAt: headAt + length,
  }
}

/** Returns the length with the empty line; undefined without one. */
function headLength(head: Buffer): number | undefined {
  const [, empty] = /^(\r?\n)/.exec(head.subarray(0, 2).toString('latin1')) ?? []
  if (empty !== undefined) return empty.length
  const ends = ['\n\n', '\n\r\n'].flatMap((text) => {
    const at = head.indexOf(text)
    return at === -1 ? [] : [at + text.length]
  })
  return ends.length === 0 ? undefined : Math.min(...ends)
}

function afterLine(raw: Buffer, at: number): number {
  const end = raw.indexOf('\n', at)
  return end === -1 ? raw.length : end + 1
}

function isClosing(line: Buffer): boolean {
  return line.subarray(0, boundaryBytesMax).toString('latin1').trimEnd().endsWith('--')
}

/** Returns where the line of the next boundary begins, or the end of the mail. */
function nextBoundary(raw: Buffer, from: number, boundaries: ReadonlySet<string>): number {
  if (boundaries.size === 0) return raw.length
  // A part may be empty: its boundary then follows the last line of its header.
  for (let at = raw.indexOf('\n--', Math.max(from - 1, 0)); at !== -1; at = raw.indexOf('\n--', at + 1)) {
    const text = raw.subarray(at + 3, at + 3 + boundaryBytesMax).toString('latin1')
    const line = text.slice(0, (text.indexOf('\n') + 1 || text.length + 1) - 1).trimEnd()
    if (boundaries.has(line) || boundaries.has(line.replace(/--$/, ''))) return at + 1
  }
  return raw.length
}

interface KeptText {
  from: number
  end: number
  /** As much as may still be kept; it becomes less. */
  left: typeof keptMax
}

/** Returns where the kept part of a text ends. Lines of encoded text are decoded as a whole. */
function endOfKept(raw: Buffer, { from, end, left }: KeptText): number {
  const furthest = Math.min(end, from + left.bytes)
  let lastLineEnd = from
  for (; left.lines > 0; left.lines--) {
    const at = raw.indexOf('\n', lastLineEnd) + 1
    if (at === 0 || at > furthest) {
      const isAtLineEnd = furthest < end && furthest - lastLineEnd < lineBytesMax
      if (!isAtLineEnd) lastLineEnd = furthest
      break
    }
    lastLineEnd = at
  }
  left.bytes -= lastLineEnd - from
  return lastLineEnd
}

import { type Headers, lengthOfHeaders, readHeaders } from './header-block.ts'
import { readHeaderValue } from './header-value.ts'
import { MailRefused } from './mail-refused.ts'
import { decodeBody } from './transfer-encodings.ts'

/** One part of a mail, decoded from its transfer encoding. */
export interface MailPart {
  type: string
  /** `charset`, `name`, `format` and others of the content type. */
  typeParams: Readonly<Record<string, string>>
  disposition: string
  dispositionParams: Readonly<Record<string, string>>
  contentId: string | null
  /** Of a multipart: what stands before its first part. */
  bytes: Uint8Array
  parts: MailPart[]
}

const partsMax = 1_000
const decodedBytesMax = 60 * 1024 * 1024
const depthMax = 100
const headBytesMax = 1024 * 1024
const boundaryBytesMax = 220

interface OpenPart {
  part: MailPart
  encoding: string
  /** Undefined: it holds no parts. */
  boundary: string | undefined
  bodyAt: number
}

interface BoundaryLine {
  at: number
  /** Where the next line begins. */
  end: number
  /** Place of its multipart among the open parts. */
  level: number
  isClosing: boolean
}

/**
 * Reads the parts of a mail. Each is cut out of the bytes of the mail between its boundaries, so a file stays what the
 * sender has attached. Throws `MailRefused` for a mail with more parts, more bytes or more levels than the limits.
 */
export function readTree(bytes: Uint8Array): MailPart {
  return new TreeReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)).read()
}

class TreeReader {
  readonly #raw: Buffer
  /** From the mail itself down to the part that is read. */
  readonly #open: OpenPart[] = []
  #partsLeft = partsMax
  #bytesLeft = decodedBytesMax

  constructor(raw: Buffer) {
    this.#raw = raw
  }

  read(): MailPart {
    const root = this.#begin(0)
    for (let line = this.#nextBoundary(root.bodyAt); line !== undefined; ) {
      const { level, isClosing, at, end } = line
      this.#closeDownTo(isClosing ? level : level + 1, beforeLineEnd(this.#raw, at))
      line = this.#nextBoundary(isClosing ? end : this.#begin(end).bodyAt)
    }
    this.#closeDownTo(0, this.#raw.length)
    return root.part
  }

  /** Reads the header of a part. */
  #begin(from: number): OpenPart {
    this.#partsLeft -= 1
    if (this.#partsLeft < 0 || this.#open.length > depthMax) throw new MailRefused('too_complex')
    const head = this.#raw.subarray(from, this.#endOfHead(from))
    const headers = readHeaders(head)
    const bodyAt = from + lengthOfHeaders(head)
    const parent = this.#open.at(-1)?.part
    const { part, boundary } = partOf(headers, parent?.type === 'multipart/digest' ? 'message/rfc822' : '')
    parent?.parts.push(part)
    const encoding = headers.first('content-transfer-encoding') ?? ''
    const begun = { part, boundary, encoding, bodyAt }
    this.#open.push(begun)
    return begun
  }

  /** A header ends at an empty line, or where the next part begins. */
  #endOfHead(from: number): number {
    const head = this.#raw.subarray(from, from + headBytesMax)
    const [empty] = /^\r?\n/.exec(head.toString('latin1', 0, 2)) ?? []
    if (empty !== undefined) return from + empty.length
    const ends = ['\n\n', '\n\r\n'].flatMap((text) => {
      const at = head.indexOf(text)
      return at === -1 ? [] : [at + text.length]
    })
    if (ends.length === 0 && from + headBytesMax < this.#raw.length) throw new MailRefused('too_complex')
    const end = from + Math.min(head.length, ...ends)
    const next = this.#nextBoundary(from, end)
    return next === undefined ? end : next.at
  }

  #nextBoundary(from: number, end = this.#raw.length): BoundaryLine | undefined {
    const levels = new Map<string, number>()
    for (const [level, { boundary }] of this.#open.entries())
      if (boundary !== undefined) levels.set(boundary, level)
    if (levels.size === 0) return undefined
    const raw = this.#raw
    for (let at = firstDashes(raw, from); at < end; at = nextDashes(raw, at)) {
      const text = raw.toString('latin1', at + 2, at + 2 + boundaryBytesMax)
      const line = text.slice(0, (text.indexOf('\n') + 1 || text.length + 1) - 1).trimEnd()
      const begun = levels.get(line)
      const level = begun ?? levels.get(line.replace(/--$/, ''))
      if (level !== undefined) return { at, end: nextLine(raw, at), level, isClosing: begun === undefined }
    }
    return undefined
  }

  /** Ends parts until only so many are open. */
  #closeDownTo(count: number, end: number): void {
    while (this.#open.length > count) {
      const closed = this.#open.pop()
      if (closed !== undefined) this.#close(closed, end)
    }
  }

  #close({ part, encoding, boundary, bodyAt }: OpenPart, end: number): void {
    // Text before and behind the parts of a multipart is for programs that know no parts.
    if (boundary !== undefined && part.parts.length > 0) return
    part.bytes = decodeBody(this.#raw.subarray(bodyAt, Math.max(bodyAt, end)), encoding)
    this.#bytesLeft -= part.bytes.length
    if (this.#bytesLeft < 0) throw new MailRefused('too_complex')
  }
}

const [lineFeed, carriageReturn, dash] = [0x0a, 0x0d, 0x2d]

function nextLine(raw: Buffer, from: number): number {
  const end = raw.indexOf(lineFeed, from)
  return end === -1 ? raw.length : end + 1
}

/** Returns the offset of the first line from there on that begins with two hyphens. */
function firstDashes(raw: Buffer, from: number): number {
  if (from === 0 && raw[0] === dash && raw[1] === dash) return 0
  // A part may be empty: its boundary then follows the last line of its header.
  return nextDashes(raw, Math.max(from - 1, 0))
}

/** Returns the offset of the line behind the next line end that begins with two hyphens. */
function nextDashes(raw: Buffer, from: number): number {
  const found = raw.indexOf('\n--', from)
  return found === -1 ? raw.length : found + 1
}

/** The end of the line before a boundary belongs to the boundary (RFC 2046, section 5.1.1). */
function beforeLineEnd(raw: Buffer, at: number): number {
  const end = raw[at - 1] === lineFeed ? at - 1 : at
  return end < at && raw[end - 1] === carriageReturn ? end - 1 : end
}

function partOf(headers: Headers, typeOfNone: string): { part: MailPart; boundary: string | undefined } {
  const { value, params: typeParams } = readHeaderValue(headers.first('content-type') ?? typeOfNone)
  const { value: disposition, params: dispositionParams } = readHeaderValue(
    headers.first('content-disposition'),
  )
  // A boundary may end in blanks that a mail program has cut.
  const boundary = value.startsWith('multipart/') ? typeParams['boundary']?.trimEnd() || undefined : undefined
  return {
    boundary,
    part: {
      // A type without a subtype says nothing, and neither does a multipart without a boundary.
      type:
        !value.includes('/') || (value.startsWith('multipart/') && boundary === undefined)
          ? 'text/plain'
          : value,
      typeParams,
      disposition,
      dispositionParams,
      contentId: headers.first('content-id')?.trim().replace(/^<|>$/g, '') || null,
      bytes: new Uint8Array(),
      parts: [],
    },
  }
}

export interface JsonRow {
  /** The text of one record. */
  text: string
  /** The byte behind it, from the beginning of the text. */
  end: number
}

const [open, close, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d]
const [quote, backslash, newline] = [0x22, 0x5c, 0x0a]
const rowBytesMax = 16 * 1024 * 1024

/** Reads the lines of an NDJSON text; each is one record, blank lines are empty texts. */
export async function* ndjsonRows(text: AsyncIterable<Buffer>, from: number): AsyncGenerator<JsonRow> {
  let pending: Buffer = Buffer.alloc(0)
  let consumed = from
  for await (const chunk of text) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    let start = 0
    for (;;) {
      const end = pending.indexOf(newline, start)
      if (end < 0) break
      yield { text: pending.toString('utf8', start, end).trim(), end: consumed + end + 1 }
      start = end + 1
    }
    consumed += start
    pending = pending.subarray(start)
    if (pending.length > rowBytesMax) throw new Error('a line is longer than 16 MB')
  }
  if (pending.length > 0) yield { text: pending.toString('utf8').trim(), end: consumed + pending.length }
}

/** Reads the objects of one large JSON array without holding more than one of them. */
export async function* jsonArrayRows(text: AsyncIterable<Buffer>, from: number): AsyncGenerator<JsonRow> {
  const scan = { depth: 0, isText: false, isEscaped: false, start: -1 }
  let pending: Buffer = Buffer.alloc(0)
  let consumed = from
  let at = 0
  for await (const chunk of text) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    for (; at < pending.length; at++) {
      if (!step(scan, pending[at] as number, at)) continue
      yield { text: pending.toString('utf8', scan.start, at + 1), end: consumed + at + 1 }
      scan.start = -1
    }
    const keep = scan.start < 0 ? at : scan.start
    pending = pending.subarray(keep)
    consumed += keep
    at -= keep
    if (scan.start >= 0) scan.start = 0
    if (pending.length > rowBytesMax) throw new Error('an object is longer than 16 MB')
  }
}

interface ArrayScan {
  depth: number
  isText: boolean
  isEscaped: boolean
  start: number
}

/** Moves over one byte; returns whether it ends an object of the array. */
function step(scan: ArrayScan, byte: number, at: number): boolean {
  if (scan.isText) {
    moveInText(scan, byte)
    return false
  }
  if (byte === quote) scan.isText = true
  const isInside = scan.start >= 0
  if (byte === open || (byte === openList && isInside)) {
    if (!isInside) scan.start = at
    scan.depth += 1
  }
  if (byte === close || (byte === closeList && isInside)) {
    scan.depth -= 1
    return scan.depth === 0
  }
  return false
}

function moveInText(scan: ArrayScan, byte: number): void {
  if (scan.isEscaped) scan.isEscaped = false
  else if (byte === backslash) scan.isEscaped = true
  else if (byte === quote) scan.isText = false
}

import { UnwrappedList } from './unwrap-list.ts'

export interface JsonRow {
  /** The text of one record; empty for a blank line. */
  text: string
  /** Says why the text is no record. */
  problem: { code: 'INVALID_RECORD' | 'FILE_CUT'; message: string } | null
}

const [open, close, openList, closeList, comma] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c]
const [quote, backslash, newline] = [0x22, 0x5c, 0x0a]
const rowBytesMax = 16 * 1024 * 1024
const tooLong: JsonRow = {
  text: '',
  problem: { code: 'INVALID_RECORD', message: 'is longer than 16 MB' },
}

/** Reads the lines of an NDJSON text; each is one record, blank lines are empty texts. */
export async function* ndjsonRows(text: AsyncIterable<Buffer>): AsyncGenerator<JsonRow> {
  let pending: Buffer = Buffer.alloc(0)
  let isSkipping = false
  for await (const chunk of text) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    let start = 0
    for (;;) {
      const end = pending.indexOf(newline, start)
      if (end < 0) break
      yield isSkipping ? tooLong : recordOf(pending, start, end)
      isSkipping = false
      start = end + 1
    }
    pending = pending.subarray(start)
    isSkipping ||= pending.length > rowBytesMax
    if (isSkipping) pending = Buffer.alloc(0)
  }
  if (isSkipping) yield tooLong
  else if (pending.length > 0) yield recordOf(pending, 0, pending.length)
}

function recordOf(bytes: Buffer, start: number, end: number): JsonRow {
  return { text: bytes.toString('utf8', start, end).trim(), problem: null }
}

const cut: JsonRow = {
  text: '',
  problem: { code: 'FILE_CUT', message: 'the file ends in the middle of its array' },
}

const unread: JsonRow = {
  text: '',
  problem: { code: 'FILE_CUT', message: 'is longer than 16 MB: nothing behind it is read' },
}

const secondList: JsonRow = {
  text: '',
  problem: { code: 'FILE_CUT', message: 'another list follows in the file: it is not read' },
}

/**
 * Reads the elements of one large JSON array without holding more than one of them. The array may be a field of an object, as in the
 * reply of an API.
 */
export async function* jsonArrayRows(text: AsyncIterable<Buffer>): AsyncGenerator<JsonRow> {
  const list = new UnwrappedList(text)
  const scan = new ArrayScan()
  let pending: Buffer = Buffer.alloc(0)
  let at = 0
  for await (const chunk of list.read()) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    for (; at < pending.length; at++) {
      const end = scan.step(pending[at] as number, at)
      if (end !== undefined) yield recordOf(pending, end.start, end.end)
    }
    const keep = scan.moveTo(at)
    pending = pending.subarray(keep)
    at -= keep
    if (pending.length <= rowBytesMax) continue
    yield unread
    return
  }
  if (scan.isCut) yield cut
  if (list.hasAnother) yield secondList
}
/** Finds the elements of an array byte by byte. */
class ArrayScan {
  /** Brackets that are open, those of the array itself included. */
  #depth = 0
  /** The beginning of the element; -1 between two of them. */
  #start = -1
  #isText = false
  #isEscaped = false

  /** Whether the text ends within the array. */
  get isCut(): boolean {
    return this.#depth > 0
  }

  /** The bytes before the element at hand are not needed any more. Returns how many. */
  moveTo(at: number): number {
    if (this.#start < 0) return at
    const keep = this.#start
    this.#start = 0
    return keep
  }

  /** Moves over one byte; returns the element that it ends. */
  step(byte: number, at: number): { start: number; end: number } | undefined {
    if (this.#isText) {
      this.#moveInText(byte)
      return undefined
    }
    const isOutside = this.#depth === 0
    if (byte === open || byte === openList) this.#depth += 1
    if (isOutside) return undefined
    const isEnd = this.#depth === 1 && (byte === comma || byte === closeList)
    if (byte === close || byte === closeList) this.#depth -= 1
    if (isEnd) return this.#end(at)
    if (this.#start < 0 && byte > 0x20) this.#start = at
    if (byte === quote) this.#isText = true
    return undefined
  }

  #end(at: number): { start: number; end: number } | undefined {
    const start = this.#start
    this.#start = -1
    return start < 0 ? undefined : { start, end: at }
  }

  #moveInText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) this.#isText = false
  }
}

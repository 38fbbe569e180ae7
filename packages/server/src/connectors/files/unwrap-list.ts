const [open, close, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d]
const [quote, backslash, space] = [0x22, 0x5c, 0x20]

/**
 * The list of objects that a JSON text is, or that an object holds beside other fields, as the reply of an API does:
 * `{"count": 2, "users": [{…}, {…}]}`. It costs one step a byte.
 */
export class UnwrappedList {
  /** Whether the object holds another list of objects behind the first. */
  hasAnother = false
  readonly #text: AsyncIterable<Buffer>
  /** Brackets that are open; 1 is within the object. */
  #depth = 0
  #isText = false
  #isEscaped = false
  /** A list of the object has begun, and its first element has not. */
  #isBegun = false
  #place: 'before' | 'within' | 'behind' = 'before'

  constructor(text: AsyncIterable<Buffer>) {
    this.#text = text
  }

  async *read(): AsyncGenerator<Buffer> {
    let isWrapped: boolean | undefined
    for await (const chunk of this.#text) {
      isWrapped ??= firstSign(chunk) === undefined ? undefined : firstSign(chunk) === open
      if (isWrapped === true) yield* this.#partsOf(chunk)
      else yield chunk
    }
  }

  *#partsOf(chunk: Buffer): Generator<Buffer> {
    let start = this.#place === 'within' ? 0 : chunk.length
    for (let at = 0; at < chunk.length; at++) {
      const moved = this.#step(chunk[at] as number)
      if (moved === 'begins') {
        yield Buffer.from('[')
        start = at
      }
      if (moved !== 'ends') continue
      yield chunk.subarray(start, at + 1)
      start = chunk.length
    }
    if (start < chunk.length) yield chunk.subarray(start)
  }

  /** Moves over one byte; says whether it is the first of the list's elements, or the end of the list. */
  #step(byte: number): 'begins' | 'ends' | undefined {
    if (this.#isText) return this.#stepInText(byte)
    if (byte <= space) return undefined
    const isFirst = this.#isBegun
    this.#isBegun = byte === openList && this.#depth === 1
    if (byte === quote) this.#isText = true
    else if (byte === open || byte === openList) this.#depth += 1
    else if (byte === close || byte === closeList) this.#depth -= 1
    if (isFirst && byte === open) return this.#beginList()
    if (this.#place !== 'within' || this.#depth > 1) return undefined
    this.#place = 'behind'
    return 'ends'
  }

  #stepInText(byte: number): undefined {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) this.#isText = false
    return undefined
  }

  #beginList(): 'begins' | undefined {
    if (this.#place === 'behind') this.hasAnother = true
    if (this.#place !== 'before') return undefined
    this.#place = 'within'
    return 'begins'
  }
}

const mark = [0xef, 0xbb, 0xbf]

function firstSign(chunk: Buffer): number | undefined {
  return chunk.find((byte) => byte > space && !mark.includes(byte))
}

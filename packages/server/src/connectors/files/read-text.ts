import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { fileEncodings } from '@crmkit/core/vocabulary'
import { encodingByLetters, wideEncodingOf } from './detect-encoding.ts'

export type FileEncoding = (typeof fileEncodings)[number]

/** Finds the encoding by the byte order mark, else UTF-8 where the bytes are, else by the letters. `isWhole`: the head is the whole file. */
export function encodingOf(head: Uint8Array, isWhole: boolean): FileEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const wide = wideEncodingOf(head)
  if (wide !== undefined) return wide
  return isUtf8(isWhole ? head : wholeSigns(head)) ? 'utf-8' : encodingByLetters(head)
}

/** The bytes without a sign of UTF-8 at their end that may go on behind them. */
function wholeSigns(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  for (let back = 0; back < 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80; back++) end -= 1
  return bytes.subarray(0, (bytes[end - 1] ?? 0) >= 0xc0 ? end - 1 : end)
}

/** The encoding of a file: UTF-8 that a later byte contradicts is what the letters around that byte say. */
export class EncodingCheck {
  #rest: Buffer = Buffer.alloc(0)
  #found: FileEncoding | undefined

  /** The encoding that the bytes have instead of UTF-8; undefined while they are UTF-8. */
  get found(): FileEncoding | undefined {
    return this.#found
  }

  /** Looks at the next bytes of the file. */
  add(chunk: Buffer): void {
    if (this.#found !== undefined) return
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const whole = wholeSigns(bytes)
    this.#rest = bytes.subarray(whole.length)
    if (!isUtf8(whole)) this.#found = encodingByLetters(bytes)
  }

  end(): FileEncoding {
    if (this.#found === undefined && this.#rest.length > 0) this.#found = encodingByLetters(this.#rest)
    return this.#found ?? 'utf-8'
  }
}

const byteOrderMark = Buffer.from('\ufeff')

interface TextToRead {
  encoding: FileEncoding
  /** Runs before the first part of the text that the encoding does not allow. */
  onContradiction?: (() => void) | undefined
}

/** Returns a file as UTF-8 without the byte order mark. */
export async function* readUtf8(
  open: () => Promise<Readable>,
  { encoding, onContradiction }: TextToRead,
): AsyncGenerator<Buffer> {
  if (encoding === 'utf-8') {
    yield* withoutMark(await open())
    return
  }
  const decoder = new TextDecoder(encoding)
  const check = onContradiction && strictly(encoding, onContradiction)
  for await (const chunk of await open()) {
    check?.(chunk as Buffer)
    const bytes = Buffer.from(decoder.decode(chunk as Buffer, { stream: true }))
    if (bytes.length > 0) yield bytes
  }
  check?.()
  const rest = Buffer.from(decoder.decode())
  if (rest.length > 0) yield rest
}

/** Returns a function that takes the parts of a text, and runs the other one at the first that the encoding does not allow. */
function strictly(encoding: FileEncoding, onContradiction: () => void): (chunk?: Buffer) => void {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let isAllowed = true
  return (chunk) => {
    try {
      if (isAllowed) decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      isAllowed = false
      onContradiction()
    }
  }
}

async function* withoutMark(stream: Readable): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const hasMark = isFirst && chunk.subarray(0, 3).equals(byteOrderMark)
    isFirst = false
    yield hasMark ? chunk.subarray(3) : chunk
  }
}

const newline = 0x0a

/** Returns a text without its first lines. */
export async function* withoutLines(text: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count
  for await (const chunk of text) {
    let start = 0
    for (; left > 0; left--) {
      const found = chunk.indexOf(newline, start)
      if (found < 0) break
      start = found + 1
    }
    if (left === 0 && start < chunk.length) yield chunk.subarray(start)
  }
}

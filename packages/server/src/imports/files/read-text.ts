import type { Readable } from 'node:stream'
import type { fileEncodings } from '@crmkit/core/vocabulary'

export type FileEncoding = (typeof fileEncodings)[number]

/** Finds the encoding by the byte order mark; a text that is no UTF-8 is Windows-1252. `isWhole`: the head is the whole file. */
export function encodingOf(head: Uint8Array, isWhole: boolean): FileEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole })
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

const byteOrderMark = Buffer.from('\ufeff')

/**
 * Returns a file as UTF-8 from a byte on, counted in UTF-8 without the byte order mark. Only an encoding that has to be
 * converted is read from its beginning.
 */
export async function* readUtf8(
  open: (from: number) => Promise<Readable>,
  { encoding, from }: { encoding: FileEncoding; from: number },
): AsyncGenerator<Buffer> {
  if (encoding === 'utf-8') {
    yield* withoutMark(await open(0), from)
    return
  }
  const decoder = new TextDecoder(encoding)
  let skip = from
  for await (const chunk of await open(0)) {
    const bytes = Buffer.from(decoder.decode(chunk as Buffer, { stream: true }))
    if (bytes.length > skip) yield bytes.subarray(skip)
    skip = Math.max(0, skip - bytes.length)
  }
  const rest = Buffer.from(decoder.decode())
  if (rest.length > skip) yield rest.subarray(skip)
}

/** Leaves out the mark and the bytes before `from`. */
async function* withoutMark(stream: Readable, from: number): AsyncGenerator<Buffer> {
  let isFirst = true
  let skip = from
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const hasMark = isFirst && chunk.subarray(0, 3).equals(byteOrderMark)
    isFirst = false
    const bytes = hasMark ? chunk.subarray(3) : chunk
    if (bytes.length > skip) yield bytes.subarray(skip)
    skip = Math.max(0, skip - bytes.length)
  }
}

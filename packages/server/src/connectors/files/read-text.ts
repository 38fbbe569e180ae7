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

/** Returns a file as UTF-8 without the byte order mark. */
export async function* readUtf8(
  open: () => Promise<Readable>,
  { encoding }: { encoding: FileEncoding },
): AsyncGenerator<Buffer> {
  if (encoding === 'utf-8') {
    yield* withoutMark(await open())
    return
  }
  const decoder = new TextDecoder(encoding)
  for await (const chunk of await open()) {
    const bytes = Buffer.from(decoder.decode(chunk as Buffer, { stream: true }))
    if (bytes.length > 0) yield bytes
  }
  const rest = Buffer.from(decoder.decode())
  if (rest.length > 0) yield rest
}

async function* withoutMark(stream: Readable): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const hasMark = isFirst && chunk.subarray(0, 3).equals(byteOrderMark)
    isFirst = false
    yield hasMark ? chunk.subarray(3) : chunk
  }
}

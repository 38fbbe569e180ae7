import { packageLineBytesMax } from '@crmkit/core/package'

export interface TextLine {
  /** From 1. */
  line: number
  /** Undefined for a line of more than 1 MB, which is not kept. */
  text: string | undefined
  /** The offset behind its line break. */
  end: number
}

const newline = 0x0a

/** Reads the lines of a file. A long line takes no more memory than one that may be there. */
export async function* readPackageLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  let parts: Uint8Array[] = []
  let [length, end, line] = [0, 0, 0]
  const take = (part: Uint8Array) => {
    length += part.length
    if (length <= packageLineBytesMax) parts.push(part)
    else parts = []
  }
  const made = (): TextLine => {
    line += 1
    const text = length > packageLineBytesMax ? undefined : Buffer.concat(parts).toString('utf8')
    parts = []
    length = 0
    return { line, text, end }
  }
  for await (const chunk of bytes) {
    let start = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      take(chunk.subarray(start, at))
      end += at + 1 - start
      start = at + 1
      yield made()
    }
    take(chunk.subarray(start))
    end += chunk.length - start
  }
  if (length > 0) yield made()
}

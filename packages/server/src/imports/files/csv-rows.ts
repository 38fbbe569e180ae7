const quote = 0x22
const newline = 0x0a
const carriageReturn = 0x0d

export interface CsvRow {
  cells: string[]
  /** The byte behind the row, from the beginning of the text. */
  end: number
}

/** A row that is longer has lost its closing quote. */
const rowBytesMax = 16 * 1024 * 1024

class RowTooLong extends Error {
  override readonly name = 'RowTooLong'
}

/**
 * Reads the rows of a CSV text in UTF-8, with the position behind each, so that an import can continue there. Cells may
 * hold delimiters, newlines and doubled quotes between quotes; a quote that is open at the end ends with the text.
 */
export async function* csvRows(
  text: AsyncIterable<Buffer>,
  { delimiter, from }: { delimiter: string; from: number },
): AsyncGenerator<CsvRow> {
  const separator = delimiter.charCodeAt(0)
  let pending: Buffer = Buffer.alloc(0)
  let consumed = from
  for await (const chunk of text) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    let start = 0
    for (;;) {
      const row = scanRow(pending, { start, separator, isLast: false })
      if (row === undefined) break
      start = row.end
      yield { cells: row.cells, end: consumed + row.end }
    }
    consumed += start
    pending = pending.subarray(start)
    if (pending.length > rowBytesMax)
      throw new RowTooLong('a row is longer than 16 MB: a quote is not closed')
  }
  let start = 0
  while (start < pending.length) {
    const row = scanRow(pending, { start, separator, isLast: true })
    if (row === undefined) return
    start = row.end
    yield { cells: row.cells, end: consumed + row.end }
  }
}

interface Scan {
  start: number
  separator: number
  isLast: boolean
}

/** Returns the row that begins at `start`; undefined when its end is not there yet. */
function scanRow(bytes: Buffer, { start, separator, isLast }: Scan): CsvRow | undefined {
  const cells: string[] = []
  let at = start
  for (;;) {
    const end = endOfCell(bytes, { start: at, separator, isLast })
    if (end === undefined) return undefined
    cells.push(cellOf(bytes, at, end))
    if (end >= bytes.length) return { cells, end: bytes.length }
    if (bytes[end] !== separator) return { cells, end: behindNewline(bytes, end) }
    at = end + 1
  }
}

/** Returns the position of the delimiter or newline behind a cell; undefined when it is not there yet. */
function endOfCell(bytes: Buffer, { start, separator, isLast }: Scan): number | undefined {
  const closed = bytes[start] === quote ? closingQuote(bytes, start + 1) : start
  if (closed === undefined) return isLast ? bytes.length : undefined
  let at = closed
  while (
    at < bytes.length &&
    bytes[at] !== separator &&
    bytes[at] !== newline &&
    bytes[at] !== carriageReturn
  )
    at += 1
  // The second half of a pair of newlines, or the second of two quotes, may be in the next chunk.
  const isOpen = at >= bytes.length || (bytes[at] === carriageReturn && at + 1 >= bytes.length)
  return isOpen && !isLast ? undefined : at
}

function behindNewline(bytes: Buffer, at: number): number {
  return bytes[at] === carriageReturn && bytes[at + 1] === newline ? at + 2 : at + 1
}

/** Returns the position of the quote that ends a cell; undefined when it is not there. */
function closingQuote(bytes: Buffer, from: number): number | undefined {
  let at = from
  for (;;) {
    const found = bytes.indexOf(quote, at)
    if (found < 0) return undefined
    if (bytes[found + 1] !== quote) return found
    at = found + 2
  }
}

function cellOf(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end)
  if (!text.startsWith('"')) return text
  const inner = text.slice(1)
  // bounded: a run of quotes has one beginning.
  const closed = /(?<!")(?:"")*"(?!")/.exec(inner)
  if (closed === null) return inner.replaceAll('""', '"')
  const at = closed.index + closed[0].length - 1
  return inner.slice(0, at).replaceAll('""', '"') + inner.slice(at + 1)
}

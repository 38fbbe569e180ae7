const quote = 0x22
const newline = 0x0a
const carriageReturn = 0x0d

export interface CsvRow {
  cells: string[]
  /** A quote of the row is not closed. The cells are not to be trusted; the next row begins on the next line. */
  isOpen: boolean
}

/** A cell that is longer may have lost its closing quote. */
const cellBytesMax = 64 * 1024
/** A row that is longer has lost it. */
const rowBytesMax = 16 * 1024 * 1024
const linesLikeRowsMin = 3

/**
 * Reads the rows of a CSV text in UTF-8. Cells may hold delimiters, newlines and doubled quotes between quotes. A quote that is
 * not closed costs the row that it is in: the lines behind it, which have as many delimiters as the header, are rows again.
 */
export async function* csvRows(
  text: AsyncIterable<Buffer>,
  { delimiter }: { delimiter: string },
): AsyncGenerator<CsvRow> {
  const separator = delimiter.charCodeAt(0)
  let pending: Buffer = Buffer.alloc(0)
  let arrived: Buffer[] = []
  let arrivedBytes = 0
  let delimiters: number | null = null
  function* scan(isLast: boolean): Generator<CsvRow> {
    pending = Buffer.concat([pending, ...arrived])
    arrived = []
    arrivedBytes = 0
    let start = 0
    while (start < pending.length) {
      const row = scanRow(pending, { start, separator, isLast, delimiters })
      if (row === undefined) break
      delimiters ??= row.cells.length - 1
      start = row.end
      yield row
    }
    pending = pending.subarray(start)
  }
  for await (const chunk of text) {
    arrived.push(chunk)
    arrivedBytes += chunk.length
    // A row is read from its beginning each time: a long one after it has doubled, so that it costs in proportion to its length.
    if (arrivedBytes >= pending.length) yield* scan(false)
  }
  yield* scan(true)
}

interface Scan {
  start: number
  separator: number
  /** Nothing follows the bytes. */
  isLast: boolean
  /** Delimiters of the header; null while it is read. */
  delimiters: number | null
}

interface FoundRow extends CsvRow {
  /** The position behind the row. */
  end: number
}

/** Returns the row that begins at `start`; undefined when its end is not there yet. */
function scanRow(bytes: Buffer, scan: Scan): FoundRow | undefined {
  const cells: string[] = []
  let at = scan.start
  for (;;) {
    const found = endOfCell(bytes, { ...scan, start: at })
    if (found === undefined) return undefined
    const { end, isOpen } = found
    cells.push(cellOf(bytes, at, end))
    if (isOpen || end >= bytes.length) return { cells, end, isOpen }
    if (bytes[end] !== scan.separator) return { cells, end: behindNewline(bytes, end), isOpen }
    at = end + 1
  }
}

interface CellEnd {
  /** The position of the delimiter or newline behind the cell; behind an open quote that of the next line. */
  end: number
  isOpen: boolean
}

/** Returns the end of a cell; undefined when it is not there yet. */
function endOfCell(bytes: Buffer, scan: Scan): CellEnd | undefined {
  const { start, isLast } = scan
  if (bytes[start] !== quote) return endBehind(bytes, start, scan)
  const closed = closingQuote(bytes, start + 1)
  if (closed === undefined) {
    const isTooLong = bytes.length - start > rowBytesMax
    if (isLast || isTooLong || holdsRows(bytes, { ...scan, end: start + cellBytesMax }))
      return openEnd(bytes, scan, isTooLong)
    return undefined
  }
  if (closed - start > cellBytesMax && holdsRows(bytes, { ...scan, end: start + cellBytesMax }))
    return openEnd(bytes, scan, true)
  const behind = endBehind(bytes, closed + 1, scan)
  // Text behind the quote: it may be the first one of another cell.
  if (behind !== undefined && behind.end > closed + 1 && holdsRows(bytes, { ...scan, end: closed }))
    return openEnd(bytes, scan, true)
  return behind
}

/** The text from `from` on has no quotes that matter: it ends at a delimiter or newline. */
function endBehind(bytes: Buffer, from: number, { separator, isLast }: Scan): CellEnd | undefined {
  let at = from
  while (
    at < bytes.length &&
    bytes[at] !== separator &&
    bytes[at] !== newline &&
    bytes[at] !== carriageReturn
  )
    at += 1
  // The second half of a pair of newlines, or the second of two quotes, may be in the next chunk.
  const isOpen = at >= bytes.length || (bytes[at] === carriageReturn && at + 1 >= bytes.length)
  return isOpen && !isLast ? undefined : { end: at, isOpen: false }
}

/** Returns the end of a cell whose quote is not closed: the next line, or the text's when what follows is no row. */
function openEnd(bytes: Buffer, scan: Scan, isKnown: boolean): CellEnd {
  const goesOn = isKnown || holdsRows(bytes, { ...scan, end: bytes.length })
  const line = goesOn ? endOfLine(bytes, scan.start, bytes.length) : bytes.length
  return { end: line < bytes.length ? behindNewline(bytes, line) : line, isOpen: true }
}

/** Whether the lines of a cell are rows: most of them have the delimiters of the header. */
function holdsRows(
  bytes: Buffer,
  { start, end, separator, delimiters, isLast }: Scan & { end: number },
): boolean {
  const isWhole = isLast && end >= bytes.length
  if (end > bytes.length && !isLast) return false
  const first = endOfLine(bytes, start, Math.min(end, bytes.length))
  const wanted = delimiters ?? countOf(bytes, separator, { start, end: first })
  let lines = 0
  let alike = 0
  for (let at = first; at < Math.min(end, bytes.length); ) {
    const lineStart = at + 1
    at = endOfLine(bytes, lineStart, Math.min(end, bytes.length))
    // The last line may go on behind the bytes.
    const isCut = at >= Math.min(end, bytes.length) && !isWhole
    if (isCut || at === lineStart) continue
    lines += 1
    if (countOf(bytes, separator, { start: lineStart, end: at }) === wanted) alike += 1
  }
  return alike > 0 && (alike === lines || (alike >= linesLikeRowsMin && alike * 2 >= lines))
}

function endOfLine(bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && bytes[at] !== newline && bytes[at] !== carriageReturn) at += 1
  return at
}

function countOf(bytes: Buffer, byte: number, { start, end }: { start: number; end: number }): number {
  let count = 0
  for (let at = start; at < end; at++) if (bytes[at] === byte) count += 1
  return count
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

import { csvRows } from './csv-rows.ts'

/** How the text of a table is to be read. */
export interface CsvShape {
  delimiter: string
  /** The line with the names of the columns, from 1; 0 when the table has none. */
  headerRow: number
}

export type GivenShape = { [K in keyof CsvShape]?: CsvShape[K] | undefined }

const delimiters = [',', ';', '\t', '|'] as const
const judgedRows = 100
const headLines = 50
/** A line of one cell above rows of two is the header of one column, whose values hold the delimiter. */
const columnsBehindTitle = 3

/**
 * Finds the delimiter that makes the most rows agree, and the line of the header behind what a program or a person wrote before it:
 * `sep=;`, a title, an empty line. Nothing that a person has said is guessed.
 */
export async function csvShapeOf(text: string, given: GivenShape): Promise<CsvShape> {
  const named = /^sep=([^\r\n]|\\t)\r?\n/i.exec(text)
  const first = named === null ? 1 : 2
  const wanted = given.delimiter ?? (named === null ? undefined : named[1] === '\\t' ? '\t' : named[1])
  const lines = text.split('\n')
  const body = lines.slice(first - 1).join('\n')
  const { delimiter, columns } = wanted === undefined ? await bestOf(body) : await judge(body, wanted)
  const headerRow = given.headerRow ?? (await headerRowOf(lines, { first, delimiter, columns }))
  return { delimiter, headerRow }
}

interface Judged {
  delimiter: string
  /** Cells of most rows. */
  columns: number
  /** The share of the rows that have as many. */
  agreement: number
}

async function bestOf(text: string): Promise<Judged> {
  let best: Judged = { delimiter: ',', columns: 1, agreement: 0 }
  for (const delimiter of delimiters) {
    const judged = await judge(text, delimiter)
    const isBetter = judged.agreement - best.agreement
    if (isBetter > 0.05 || (isBetter > -0.05 && judged.columns > best.columns)) best = judged
  }
  return best
}

/** Counts the rows that agree. A delimiter that divides no rows, or only some of them within the table, agrees with none. */
async function judge(text: string, delimiter: string): Promise<Judged> {
  const counts: number[] = []
  for await (const { cells, isOpen } of csvRows(chunksOf(text), { delimiter })) {
    if (isOpen || cells.some((cell) => cell.trim() !== '')) counts.push(isOpen ? 0 : cells.length)
    if (counts.length >= judgedRows) break
  }
  const byCount = Map.groupBy(
    counts.filter((count) => count > 1),
    (count) => count,
  )
  const most = [...byCount.values()].toSorted((a, b) => b.length - a.length || (b[0] ?? 0) - (a[0] ?? 0))[0]
  const columns = most?.[0] ?? 1
  if (most === undefined) return { delimiter, columns, agreement: 0 }
  const within = counts.slice(counts.indexOf(columns), counts.lastIndexOf(columns) + 1)
  const isHeader = (counts[0] ?? 0) > 1
  const isTable =
    isHeader || (columns >= columnsBehindTitle && most.length > 1 && most.length >= 0.7 * within.length)
  return { delimiter, columns, agreement: isTable ? most.length / counts.length : 0 }
}

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

interface Table {
  first: number
  delimiter: string
  columns: number
}

/** The first row with half of the table's columns is the header, unless it holds values as rows do. */
async function headerRowOf(lines: readonly string[], { first, delimiter, columns }: Table): Promise<number> {
  const enough = Math.max(columns > 1 ? 2 : 1, Math.ceil(columns / 2))
  let firstFilled: number | undefined
  for (let row = first; row <= Math.min(lines.length, first + headLines); row++) {
    if ((lines[row - 1] ?? '').trim() === '') continue
    firstFilled ??= row
    const cells = (await rowAt(lines, row, delimiter)).filter((cell) => cell.trim() !== '')
    if (cells.length < enough) continue
    const isTitled = row > firstFilled && columns >= columnsBehindTitle && !cells.some(isValue)
    return isTitled ? row : firstFilled
  }
  return firstFilled ?? first
}

async function rowAt(lines: readonly string[], row: number, delimiter: string): Promise<string[]> {
  const text = lines.slice(row - 1, row - 1 + headLines).join('\n')
  for await (const { cells } of csvRows(chunksOf(text), { delimiter })) return cells
  return []
}

/** Whether a cell is a value, and so no name of a column. A year may be one. */
function isValue(cell: string): boolean {
  const text = cell.trim()
  if (/^(?:19|20)\d\d$/.test(text)) return false
  return text.includes('@') || /^[\d.,:/+-]+$/.test(text)
}

import { csvShapeOf } from './csv-shape.ts'
import { outsideOf, type Sniffed } from './sniff-file.ts'
import { columnsMax, uniqueNames } from './unique-names.ts'
import type { Sheet, SheetRow, Workbook } from './workbook.ts'

/** The rows that say where the header is, and what the columns hold. */
const judgedRows = 120
const samplesMax = 50

export interface SniffedWorkbook extends Sniffed {
  sheet: string
  sheets: string[]
}

interface GivenSheet {
  sheet?: string | undefined
  headerRow?: number | undefined
}

/** Finds the sheet and the header of a workbook. Undefined: it has no such sheet, or none with rows. */
export async function sniffWorkbook(book: Workbook, given: GivenSheet): Promise<SniffedWorkbook | undefined> {
  const found = await chosenSheet(book, given.sheet)
  if (found === undefined) return undefined
  const { sheet, rows } = found
  const { headerRow } = await csvShapeOf(textOf(rows), { delimiter: ',', headerRow: given.headerRow })
  const table = rows.filter(({ row }) => row >= headerRow)
  const count = Math.max(0, ...table.map(({ cells }) => cells.length))
  const [first, ...behind] = table
  const names = Array.from({ length: count }, (_, at) => (headerRow === 0 ? '' : (first?.cells[at] ?? '')))
  const others = (headerRow === 0 ? table : behind).map(({ cells }) => cells)
  return {
    format: 'xlsx',
    encoding: 'utf-8',
    delimiter: null,
    headerRow,
    sheet: sheet.name,
    sheets: book.sheets.map(({ name }) => name),
    headers: uniqueNames(names),
    hasRows: others.some((cells) => cells.length > 0),
    hasTooManyColumns: count > columnsMax,
    samples: others.slice(0, samplesMax),
    outside: outsideOf(
      rows.filter(({ row }) => row < headerRow).map(({ row, cells }) => [row, cells.join(' ')]),
    ),
  }
}

/** The sheet that a person named, else the first one with rows that is not hidden. */
async function chosenSheet(
  book: Workbook,
  name: string | undefined,
): Promise<{ sheet: Sheet; rows: SheetRow[] } | undefined> {
  const sheets = book.sheets.filter((sheet) => (name === undefined ? !sheet.isHidden : sheet.name === name))
  let last: { sheet: Sheet; rows: SheetRow[] } | undefined
  for (const sheet of sheets) {
    last = { sheet, rows: await book.firstRows(sheet, judgedRows) }
    if (last.rows.some(({ cells }) => cells.length > 0)) break
  }
  return last
}

/** The rows as lines of CSV, each in one line. */
function textOf(rows: readonly SheetRow[]): string {
  return rows.map(({ cells }) => cells.map(quoted).join(',')).join('\n')
}

function quoted(cell: string): string {
  return `"${cell.replaceAll(/[\r\n]/g, ' ').replaceAll('"', '""')}"`
}

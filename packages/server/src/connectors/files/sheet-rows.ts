import { createXmlParser, textsOf } from '../../shared/xml-parser.ts'
import { RichText, textLengthMax } from './rich-text.ts'
import { type NumberFormat, textOfNumber } from './sheet-values.ts'
import { columnsMax } from './unique-names.ts'

/** A text, the position of one that the workbook has for all sheets, or an error. */
export type RawCell = string | { shared: number } | { error: string }

export interface RawRow {
  row: number
  cells: RawCell[]
}

export interface SheetReading {
  /** The format of each style. */
  formats: readonly NumberFormat[]
  /** Whether days are counted from 1904. */
  is1904: boolean
}

/** A sheet has as many rows and columns. */
const rowsMax = 1_048_576
const columnsOfSheet = 16_384

/** Reads the rows of a sheet as they arrive, with a blank one for each without a value that another one follows. */
export async function* rawRows(bytes: AsyncIterable<Buffer>, reading: SheetReading): AsyncGenerator<RawRow> {
  const reader = new SheetReader(reading)
  const parser = createXmlParser(reader)
  let last = 0
  for await (const text of textsOf(bytes)) {
    parser.write(text)
    for (const row of reader.take()) {
      // Rows of a look alone go on to the end of many sheets.
      if (row.cells.length === 0) continue
      for (let blank = last + 1; blank < row.row; blank++) yield { row: blank, cells: [] }
      yield row
      last = row.row
    }
  }
  parser.end()
}

interface Cell {
  type: string
  style: number
  /** From 0. */
  column: number
  value: string
  /** A formula whose value was never computed is one without it. */
  isFormula: boolean
}

class SheetReader {
  readonly #reading: SheetReading
  readonly #inline = new RichText()
  #done: RawRow[] = []
  #row: RawRow | undefined
  #cell: Cell | undefined
  #isValue = false
  /** The number of the last row, and the column behind the last cell. */
  #last = 0
  #next = 0

  constructor(reading: SheetReading) {
    this.#reading = reading
  }

  /** Returns the rows that are complete, once. */
  take(): RawRow[] {
    const done = this.#done
    this.#done = []
    return done
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') this.#beginRow(attributes['r'])
    else if (name === 'c') this.#beginCell(attributes)
    else if (name === 'v') this.#isValue = true
    else if (name === 'f' && this.#cell !== undefined) this.#cell.isFormula = true
    else this.#inline.open(name, 'is')
  }

  text(text: string): void {
    if (this.#isValue && this.#cell !== undefined) {
      this.#cell.value += text
      if (this.#cell.value.length > textLengthMax) throw new Error('A text is too long')
    } else this.#inline.add(text)
  }

  close(name: string): void {
    if (name === 'row') this.#endRow()
    else if (name === 'c') this.#endCell()
    else if (name === 'v') this.#isValue = false
    else {
      const text = this.#inline.close(name, 'is')
      if (text !== undefined && this.#cell !== undefined) this.#cell.value = text
    }
  }

  /** A row without a number, or with one that was before, is the next one. */
  #beginRow(reference: string | undefined): void {
    const number = Number(reference)
    const row = Number.isInteger(number) && number > this.#last && number <= rowsMax ? number : this.#last + 1
    this.#row = { row, cells: [] }
    this.#next = 0
  }

  #endRow(): void {
    if (this.#row === undefined) return
    this.#last = this.#row.row
    this.#done.push(this.#row)
    this.#row = undefined
  }

  #beginCell(attributes: Readonly<Record<string, string>>): void {
    const { r: reference = '', t: type = 'n', s: style = '' } = attributes
    const column = Math.max(columnOf(reference) ?? 0, this.#next)
    if (column >= columnsOfSheet) throw new Error('A row has too many cells')
    this.#next = column + 1
    this.#cell = { type, style: Number(style), column, value: '', isFormula: false }
  }

  #endCell(): void {
    const cell = this.#cell
    const cells = this.#row?.cells
    this.#cell = undefined
    if (cell === undefined || cells === undefined) return
    // Only a cell with a value is one of its row.
    const value = this.#valueOf(cell)
    if (value === '') return
    // A value further to the right is one beside the table: a short row must not cost 16,384 cells.
    while (cells.length < Math.min(cell.column, columnsMax)) cells.push('')
    cells.push(value)
  }

  #valueOf({ type, style, value, isFormula }: Cell): RawCell {
    if (isFormula && value === '' && type !== 'str') return { error: 'no value' }
    if (type === 's') return value === '' ? '' : { shared: Number(value) }
    if (type === 'b') return value === '' ? '' : value === '1' || value === 'true' ? 'true' : 'false'
    if (type === 'e') return { error: value }
    if (type !== 'n') return value
    return textOfNumber(value, this.#reading.formats[style] ?? { kind: 'plain' }, this.#reading)
  }
}

/** Returns the column of a cell's name such as `AB12`, from 0. */
function columnOf(reference: string): number | undefined {
  const letters = /^([A-Z]{1,3})\d/.exec(reference)?.[1]
  if (letters === undefined) return undefined
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

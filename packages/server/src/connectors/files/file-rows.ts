import type { ImportFile } from '@crmkit/core'
import type { SourceWarning, UnreadableRow } from '../../ports/connector.ts'
import { type CsvRow, csvRows } from './csv-rows.ts'
import type { CsvShape } from './csv-shape.ts'
import { type JsonRow, jsonArrayRows, ndjsonRows } from './json-rows.ts'
import { parseObject } from './parse-object.ts'
import { withoutLines } from './read-text.ts'
import { columnsMax, UniqueNames, uniqueNames } from './unique-names.ts'
import { vcardRows } from './vcard-rows.ts'

export interface FileRow {
  /** The position in the file, from 1: the header of a CSV text, and lines before it, have numbers too. */
  row: number
  /** By the name of the column. */
  values: ReadonlyMap<string, unknown>
  warnings: readonly SourceWarning[]
}

export type ReadRow =
  | (FileRow & { type: 'record' })
  | (UnreadableRow & { type: 'unreadable'; cells?: readonly string[] })
  | { type: 'blank'; row: number }
  /** The header, or a line before it. */
  | { type: 'head'; row: number }
  /** A line behind the table. */
  | { type: 'outside'; row: number }

/** Reads the rows of a file from its beginning. */
export function readRows(
  { format, delimiter, headerRow }: Pick<ImportFile, 'format' | 'delimiter' | 'headerRow'>,
  text: AsyncIterable<Buffer>,
): AsyncGenerator<ReadRow> {
  if (format === 'csv') return readCsv(text, { delimiter: delimiter ?? ',', headerRow: headerRow ?? 1 })
  if (format === 'vcf') return readCards(text)
  return readJson(format === 'json' ? jsonArrayRows(text) : ndjsonRows(text))
}

async function* readCsv(
  text: AsyncIterable<Buffer>,
  { delimiter, headerRow }: CsvShape,
): AsyncGenerator<ReadRow> {
  const before = Math.max(headerRow - 1, 0)
  for (let line = 1; line <= before; line++) yield { type: 'head', row: line }
  yield* readTable(numbered(csvRows(withoutLines(text, before), { delimiter }), before), { headerRow })
}

async function* numbered(rows: AsyncIterable<CsvRow>, before: number): AsyncGenerator<TableRow> {
  let row = before
  for await (const { cells, isOpen } of rows) {
    row += 1
    yield { row, cells, isOpen }
  }
}

interface TableRow {
  row: number
  cells: readonly string[]
  /** A quote of the row is not closed. */
  isOpen?: boolean
  /** Positions of cells that hold an error instead of a value. */
  errors?: readonly number[]
}

interface TableShape {
  headerRow: number
  /** As many columns as the table has at least. */
  columns?: number
}

/** Reads the rows of a sheet; those before the header are no rows of the table. */
export async function* readSheet(
  rows: AsyncIterable<TableRow>,
  { headerRow, headers }: Pick<ImportFile, 'headerRow' | 'headers'>,
): AsyncGenerator<ReadRow> {
  const shape = { headerRow: headerRow ?? 1, columns: headers.length }
  const table = async function* () {
    for await (const found of rows) if (found.row >= shape.headerRow) yield found
  }
  for (let row = 1; row < shape.headerRow; row++) yield { type: 'head', row }
  yield* readTable(table(), shape)
}

async function* readTable(
  rows: AsyncIterable<TableRow>,
  { headerRow, columns = 0 }: TableShape,
): AsyncGenerator<ReadRow> {
  const foot = new Foot()
  let header: Header | undefined
  for await (const found of rows) {
    const { row, cells } = found
    if (header === undefined) {
      const count = Math.max(cells.length, columns)
      const names = Array.from({ length: count }, (_, at) => (headerRow === 0 ? '' : (cells[at] ?? '')))
      header = { names: uniqueNames(names), count }
      if (headerRow > 0) {
        yield { type: 'head', row }
        continue
      }
    }
    yield* foot.add(rowOf(found, header), header.count > 2 && cells.length === 1 && !found.isOpen)
  }
  yield* foot.end()
}

function rowOf({ row, cells, isOpen = false, errors }: TableRow, header: Header): ReadRow {
  if (isOpen)
    return { type: 'unreadable', row, code: 'OPEN_QUOTE', message: 'has a quote that is not closed', cells }
  // A sheet does not write cells without a value.
  const isSheet = errors !== undefined
  const whole = isSheet ? [...cells, ...header.names.slice(cells.length).map(() => '')] : cells
  const found = rowOfCells(row, whole, header)
  if (found.type !== 'record' || !errors?.length) return found
  const warnings = errors.map((at) => errorOfCell(header.names[at] ?? ''))
  return { ...found, warnings: [...found.warnings, ...warnings] }
}

function errorOfCell(column: string): SourceWarning {
  const message = 'holds an error of the workbook instead of a value'
  return { code: 'INVALID_VALUE', message, column, isCounted: true }
}

interface Header {
  names: string[]
  count: number
}

/**
 * The lines that a report writes behind its table: an empty line, then lines of one cell to the end of the file. They are held back
 * until it is known whether a row follows.
 */
class Foot {
  #held: ReadRow[] = []

  /** Returns the rows that are rows of the table now. */
  add(row: ReadRow, isOneCell: boolean): ReadRow[] {
    const isBlank = row.type === 'blank'
    const goesOn = (isBlank || (this.#held.length > 0 && isOneCell)) && this.#held.length < footLinesMax
    if (goesOn) {
      this.#held.push(row)
      return []
    }
    const free = [...this.#held, row]
    this.#held = []
    return free
  }

  /** Returns the rows of the foot. */
  end(): ReadRow[] {
    return this.#held.map((row) => (row.type === 'blank' ? row : { type: 'outside', row: row.row }))
  }
}

/** A longer text behind a table is none that a report writes by itself. */
const footLinesMax = 50

function rowOfCells(
  row: number,
  cells: readonly string[],
  { names, count }: { names: readonly string[]; count: number },
): ReadRow {
  if (cells.every((cell) => cell.trim() === '')) return { type: 'blank', row }
  const message = `has ${cells.length} cells instead of ${count}`
  // Spare delimiters at the end of a row are no cells.
  const hasSurplus = cells.slice(count).some((cell) => cell.trim() !== '')
  if (hasSurplus) return { type: 'unreadable', row, code: 'CELL_COUNT', message, cells }
  return {
    type: 'record',
    row,
    values: new Map(names.map((name, index) => [name, cells[index] ?? ''])),
    warnings: cells.length < count ? [{ code: 'CELL_COUNT', message }] : [],
  }
}

async function* readJson(rows: AsyncIterable<JsonRow>): AsyncGenerator<ReadRow> {
  const names = new FieldNames()
  let row = 0
  for await (const { text, problem } of rows) {
    row += 1
    if (problem !== null) {
      yield { type: 'unreadable', row, ...problem }
      continue
    }
    const fields = text === '' ? {} : parseObject(text)
    if (fields === undefined) {
      yield { type: 'unreadable', row, code: 'INVALID_RECORD', message: 'is no JSON object' }
    } else if (Object.keys(fields).length === 0) yield { type: 'blank', row }
    else yield { type: 'record', row, ...names.rowOf(fields) }
  }
}

async function* readCards(text: AsyncIterable<Buffer>): AsyncGenerator<ReadRow> {
  const names = new FieldNames()
  let row = 0
  for await (const { fields, problem } of vcardRows(text)) {
    row += 1
    if (problem !== null) yield { type: 'unreadable', row, ...problem }
    else if (fields.size === 0) yield { type: 'blank', row }
    else yield { type: 'record', row, ...names.rowOf(Object.fromEntries(fields)) }
  }
}

/** The names of the fields of JSON records: each has its own from the record in which it occurs first. */
class FieldNames {
  readonly #unique = new UniqueNames()
  readonly #names = new Map<string, string>()

  rowOf(fields: Readonly<Record<string, unknown>>): Pick<FileRow, 'values' | 'warnings'> {
    const values = new Map<string, unknown>()
    const warnings: SourceWarning[] = []
    for (const [field, value] of Object.entries(fields)) {
      const name = this.#nameOf(field)
      if (name !== undefined) values.set(name, value)
      else warnings.push(tooManyColumns)
    }
    return { values, warnings }
  }

  #nameOf(field: string): string | undefined {
    const known = this.#names.get(field)
    if (known !== undefined || this.#names.size >= columnsMax) return known
    const name = this.#unique.next(field)
    this.#names.set(field, name)
    return name
  }
}

const tooManyColumns: SourceWarning = {
  code: 'TOO_MANY_COLUMNS',
  message: `the file has more than ${columnsMax} columns: values of the others are not imported`,
  isCounted: true,
}

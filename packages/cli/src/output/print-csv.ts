import { cleanLine } from './clean-text.ts'
import { type Column, cellForPrograms } from './column.ts'
import type { Output } from './output.ts'

// A spreadsheet runs a cell that begins with one of these as a formula.
const formulaStart = /^[=+\-@\t\r]/
const quoted = /[",\n\r]/

function csvCell<Row>(column: Column<Row>, row: Row): string {
  const text = cellForPrograms(column, row)
  const isNumber = typeof column.value(row) === 'number'
  const safe = !isNumber && formulaStart.test(text) ? `'${text}` : text
  return quoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Prints rows as comma-separated values below a line with the titles. */
export function printCsv<Row extends object>(
  output: Output,
  { rows, columns }: { readonly rows: readonly Row[]; readonly columns: readonly Column<Row>[] },
): void {
  const titles = columns.map(({ title }) => cleanLine(title)).join(',')
  const lines = rows.map((row) => columns.map((column) => csvCell(column, row)).join(','))
  output.print([titles, ...lines].join('\n'))
}

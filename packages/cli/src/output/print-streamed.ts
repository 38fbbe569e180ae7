import { cleanLine } from './clean-text.ts'
import { type Column, cellForPeople, idLast } from './column.ts'
import { clockTime } from './format-time.ts'
import type { Output } from './output.ts'
import { printJsonLine } from './print-json.ts'
import { tabSeparated } from './print-record.ts'

interface StreamedRow<Row extends object> {
  readonly row: Row
  readonly columns: readonly Column<Row>[]
  /** The only text that `--quiet` prints. */
  readonly quiet: string
}

/** Prints one row of an endless stream, which has no column widths and no closing bracket: a line, or NDJSON. */
export function printStreamed<Row extends object>(
  output: Output,
  { row, columns, quiet }: StreamedRow<Row>,
): void {
  if (output.json) printJsonLine(output, row)
  else if (output.isQuiet) output.print(cleanLine(quiet))
  else if (!output.isTerminal) output.print(tabSeparated(columns, row))
  else {
    const cells = idLast(columns)
      .filter((column) => !column.isDetail)
      .map((column) => output.tone(column.tone?.(row), streamedCell(column, row)))
    output.print(cells.join('  '))
  }
}

/** A line stays on the screen: "now" would soon be wrong. */
function streamedCell<Row>(column: Column<Row>, row: Row): string {
  const value = column.value(row)
  if (column.isTime && typeof value === 'string') return clockTime(cleanLine(value))
  return cellForPeople(column, row)
}

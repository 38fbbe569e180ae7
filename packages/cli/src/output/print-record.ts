import { cleanLine } from './clean-text.ts'
import { type Column, cellForPeople, cellForPrograms } from './column.ts'
import type { Output } from './output.ts'
import { printJson } from './print-json.ts'
import { renderCards } from './render-cards.ts'

interface RecordView<Row extends object> {
  readonly row: Row
  readonly columns: readonly Column<Row>[]
  /** The only text that `--quiet` prints. */
  readonly quiet: string
}

/** Prints one record: a card on a terminal, one tab-separated row in a pipe. */
export function printRecord<Row extends object>(
  output: Output,
  { row, columns, quiet }: RecordView<Row>,
): void {
  if (output.json) printJson(output, row)
  else if (output.isQuiet) output.print(cleanLine(quiet))
  else if (!output.isTerminal) output.print(tabSeparated(columns, row))
  else output.print(renderCards([cardOf(columns, row)], (title) => output.style('dim', title)))
}

export function cardOf<Row>(columns: readonly Column<Row>[], row: Row): [title: string, value: string][] {
  return columns.map((column) => [column.title, cellForPeople(column, row)])
}

export function tabSeparated<Row>(columns: readonly Column<Row>[], row: Row): string {
  return columns
    .filter((column) => !column.isDetail)
    .map((column) => cellForPrograms(column, row))
    .join('\t')
}

import { cleanLine } from './clean-text.ts'
import { type Column, cellForPeople, cellForPrograms, idLast } from './column.ts'
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
  else output.print(renderCards([cardOf(output, { columns, row })], (title) => output.style('dim', title)))
}

interface Card<Row> {
  readonly columns: readonly Column<Row>[]
  readonly row: Row
}

export function cardOf<Row>(output: Output, { columns, row }: Card<Row>): [title: string, value: string][] {
  return idLast(columns).map((column) => [
    column.title,
    output.tone(column.tone?.(row), cellForPeople(column, row)),
  ])
}

export function tabSeparated<Row>(columns: readonly Column<Row>[], row: Row): string {
  return columns
    .filter((column) => !column.isDetail)
    .map((column) => cellForPrograms(column, row))
    .join('\t')
}

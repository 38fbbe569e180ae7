import { cleanLine } from './clean-text.ts'
import { type Column, cellForPeople, idLast } from './column.ts'
import { isForPeople, type Output } from './output.ts'
import { counted, plural } from './plural.ts'
import { printJson } from './print-json.ts'
import { cardOf, tabSeparated } from './print-record.ts'
import { renderCards } from './render-cards.ts'
import { flexibleWidthMin, renderTable } from './render-table.ts'

interface ListView<Row extends object> {
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  /** Printed on a terminal instead of a table. */
  readonly forPeople?: ((output: Output, rows: readonly Row[]) => void) | undefined
}

/** Prints JSON, or a table for a terminal (cards when the terminal is too narrow). */
export async function printList<Row extends object>(output: Output, view: ListView<Row>): Promise<void> {
  if (output.json) printJson(output, view.rows)
  else if (view.forPeople) view.forPeople(output, view.rows)
  else await printForPeople(output, view)
}

interface RowsView<Row extends object> extends ListView<Row> {
  /** The only text that `--quiet` prints of a row. */
  readonly quiet: (row: Row) => string
}

/** Prints rows for a pipe: tab-separated, or one word each with `--quiet`. */
export function printRows<Row extends object>(output: Output, { rows, columns, quiet }: RowsView<Row>): void {
  const lineOf = (row: Row) => (output.isQuiet ? cleanLine(quiet(row)) : tabSeparated(columns, row))
  if (rows.length > 0) output.print(rows.map(lineOf).join('\n'))
}

/** Prints all rows of one response: as `printList` for people and as JSON, as `printRows` for programs. */
export async function printAll<Row extends object>(output: Output, view: RowsView<Row>): Promise<void> {
  if (output.json || isForPeople(output)) await printList(output, view)
  else printRows(output, view)
}

/** The main text of a row gets this width before an optional column is shown. */
const mainWidthWanted = 40

async function printForPeople<Row extends object>(output: Output, view: ListView<Row>): Promise<void> {
  if (view.rows.length === 0) return
  const columns = idLast(view.columns).filter((column) => !column.isDetail)
  for (let shown = columns; ; ) {
    const last = shown.findLastIndex((column) => column.isOptional)
    const mainWidthMin = last === -1 ? flexibleWidthMin : mainWidthWanted
    const table = await tableOf(output, { rows: view.rows, columns: shown, mainWidthMin })
    if (table !== undefined) {
      output.print(table)
      const hidden = columns.filter((column) => !shown.includes(column)).map((column) => column.title)
      if (hidden.length > 0) output.say(`The terminal is too narrow for: ${hidden.join(', ')}.`)
      return
    }
    if (last === -1) break
    shown = shown.toSpliced(last, 1)
  }
  const cards = view.rows.map((row) => cardOf(output, { columns, row }))
  output.print(renderCards(cards, (title) => output.style('dim', title)))
}

interface TableView<Row extends object> extends ListView<Row> {
  readonly mainWidthMin: number
}

function tableOf<Row extends object>(
  output: Output,
  { rows, columns, mainWidthMin }: TableView<Row>,
): Promise<string | undefined> {
  return renderTable({
    columns: columns.map(({ title, isFlexible = false, isMain = false }) => ({ title, isFlexible, isMain })),
    rows: rows.map((row) => columns.map((column) => cellForPeople(column, row))),
    width: output.width,
    mainWidthMin,
    styleTitle: (title) => output.style('bold', title),
    styleCell: (text, row, column) => output.tone(columns[column]?.tone?.(rows[row] as Row), text),
  })
}

interface ListCount {
  /** How many rows were printed. */
  readonly count: number
  readonly total: number
  readonly totalIsEstimate: boolean
  readonly nextCursor: string | null
  /** "customer". */
  readonly noun: string
}

/** "20 of 1,240 customers." A pipe gets this line only when rows are missing. */
export function printCount(output: Output, list: ListCount): void {
  if (output.isTerminal || list.nextCursor !== null) output.say(countLine(list, output.isTerminal))
}

function countLine(
  { count, total, totalIsEstimate, nextCursor, noun }: ListCount,
  isTerminal: boolean,
): string {
  if (total === 0) return `No ${plural(noun)}.`
  const all = `${totalIsEstimate ? 'about ' : ''}${counted(total, noun)}`
  const shown = count.toLocaleString('en')
  if (nextCursor === null) return count === total ? `${all}.` : `${shown} of ${all}.`
  // A cursor is for scripts; on a terminal it would only distract.
  const next = isTerminal
    ? 'More with --limit N or --all.'
    : `More with --all or --cursor ${cleanLine(nextCursor)}`
  return `${shown} of ${all}. ${next}`
}

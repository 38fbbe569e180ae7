import { cleanLine } from './clean-text.ts'
import { type Column, cellForPeople } from './column.ts'
import type { Output } from './output.ts'
import { printJson } from './print-json.ts'
import { cardOf, tabSeparated } from './print-record.ts'
import { renderCards } from './render-cards.ts'
import { renderTable } from './render-table.ts'

export interface ListView<Row extends object> {
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  /** What `--quiet` prints of a row, alone. */
  readonly quiet: (row: Row) => string
  /** "customer": for the line below the table. */
  readonly noun: string
  readonly total: number
  readonly isTotalEstimate: boolean
  readonly nextCursor: string | null
}

/** A table on a terminal (cards when it is too narrow), tab-separated rows in a pipe. */
export async function printList<Row extends object>(output: Output, view: ListView<Row>): Promise<void> {
  if (output.json) printJson(output, view.rows)
  else if (output.isQuiet) printQuiet(output, view)
  else if (output.isTerminal) await printForPeople(output, view)
  else
    printLines(
      output,
      view.rows.map((row) => tabSeparated(view.columns, row)),
    )
  // In a pipe only what is missing is worth a word.
  if (output.isTerminal || view.nextCursor !== null) output.say(countLine(view, output.isTerminal))
}

function printQuiet<Row extends object>(output: Output, { rows, quiet }: ListView<Row>): void {
  printLines(
    output,
    rows.map((row) => cleanLine(quiet(row))),
  )
}

function printLines(output: Output, lines: readonly string[]): void {
  if (lines.length > 0) output.print(lines.join('\n'))
}

async function printForPeople<Row extends object>(output: Output, view: ListView<Row>): Promise<void> {
  if (view.rows.length === 0) return
  const columns = view.columns.filter((column) => !column.isDetail)
  for (let shown = columns; ; ) {
    const table = await renderTable({
      titles: shown.map((column) => column.title),
      rows: view.rows.map((row) => shown.map((column) => cellForPeople(column, row))),
      flexible: shown.map((column) => column.isFlexible === true),
      width: output.width,
      styleTitle: (title) => output.style('bold', title),
    })
    if (table !== undefined) {
      output.print(table)
      const hidden = columns.filter((column) => !shown.includes(column)).map((column) => column.title)
      if (hidden.length > 0) output.say(`Too narrow for: ${hidden.join(', ')}.`)
      return
    }
    const last = shown.findLastIndex((column) => column.isOptional)
    if (last === -1) break
    shown = shown.toSpliced(last, 1)
  }
  const cards = view.rows.map((row) => cardOf(columns, row))
  output.print(renderCards(cards, (title) => output.style('dim', title)))
}

function countLine<Row extends object>(
  { rows, total, isTotalEstimate, nextCursor, noun }: ListView<Row>,
  isTerminal: boolean,
): string {
  const nouns = total === 1 ? noun : `${noun}s`
  if (total === 0) return `No ${noun}s.`
  const all = `${isTotalEstimate ? 'about ' : ''}${total.toLocaleString('en')} ${nouns}`
  if (nextCursor === null)
    return rows.length === total ? `${all}.` : `${rows.length.toLocaleString('en')} of ${all}.`
  // A cursor is for scripts; on a terminal it would only be noise.
  const next = isTerminal
    ? 'More with --limit N or --all.'
    : `More with --all or --cursor ${cleanLine(nextCursor)}`
  return `${rows.length.toLocaleString('en')} of ${all}. ${next}`
}

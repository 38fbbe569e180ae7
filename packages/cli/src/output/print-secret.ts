import { cleanLine } from './clean-text.ts'
import type { Column } from './column.ts'
import type { Output } from './output.ts'
import { printRecord } from './print-record.ts'

interface MadeSecret<Row extends { readonly _id: string }> {
  /** What was made, with its secret. */
  readonly created: Row
  /** The same without it. */
  readonly row: Row
  readonly secret: string
  /** The file that holds the secret; undefined when it has to be shown. */
  readonly savedIn: string | undefined
  /** As in `The signing secret is …`. */
  readonly name: string
  /** The title of the secret's column. */
  readonly title: string
  readonly columns: readonly Column<Row>[]
  /** Those that stand beside the secret, when they are not all. */
  readonly columnsBeside?: readonly Column<Row>[]
  /** What to do with it. */
  readonly advice?: string
}

/** A secret that the server shows once goes to one place only: the file when there is one, else stdout. */
export function printSecret<Row extends { readonly _id: string }>(
  output: Output,
  made: MadeSecret<Row>,
): void {
  const { created, row, secret, savedIn, name, title, columns, columnsBeside = columns, advice } = made
  if (savedIn !== undefined) {
    output.say(`The ${name} is in ${cleanLine(savedIn)}${advice ? `: ${advice}` : ''}.`)
    printRecord(output, { row, columns, quiet: row._id })
    return
  }
  output.say(`The ${name} is shown this once${advice ? `; ${advice}` : ''}:`)
  const withSecret = [...columnsBeside, { title, value: () => secret }]
  printRecord(output, { row: created, columns: withSecret, quiet: secret })
}

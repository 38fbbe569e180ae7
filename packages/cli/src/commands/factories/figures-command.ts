import type { OptionValues } from '@commander-js/extra-typings'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { bar } from '../../output/bar.ts'
import type { Column } from '../../output/column.ts'
import { printCsv } from '../../output/print-csv.ts'
import { printJson } from '../../output/print-json.ts'
import { printList, printRows } from '../../output/print-list.ts'
import { type Need, openClient } from '../../profile/open-client.ts'
import { runAction } from '../run-action.ts'
import { type AddOptions, addCommand, type Call, type CommandWords, type NounCommand } from './add-command.ts'

interface FiguresSpec<Figures extends object, Row extends object, Options extends OptionValues>
  extends CommandWords {
  readonly name: string
  readonly options: AddOptions<Options>
  readonly fetch: (call: Call, options: Options) => PromiseLike<Figures>
  readonly rowsOf: (figures: Figures, options: Options) => readonly Row[]
  readonly columns: readonly Column<Row>[]
  /** The number that a terminal also shows as a bar; undefined for a row without one. */
  readonly barOf: (row: Row) => number | undefined
  /** The number of a full bar; without it, the greatest of the rows. */
  readonly fullBar?: number
  /** The only text that `--quiet` prints of a row. */
  readonly quiet: (row: Row) => string
  /** The kind of credential that the operation takes. Default: any. */
  readonly need?: Need
  /** A line below the figures. */
  readonly sayBelow?: (figures: Figures) => string
}

/** `crm NOUN NAME`: figures as a table with bars on a terminal, as rows in a pipe, as JSON or CSV on request. */
export function figuresCommand<Figures extends object, Row extends object, Options extends OptionValues>(
  spec: FiguresSpec<Figures, Row, Options>,
): NounCommand {
  return (parent) => {
    addCommand(parent, spec)
      .option('--csv', 'print comma-separated values with a line of titles')
      .action((given, self) => {
        const { csv, ...options } = given as Options & { csv?: true }
        const request = { options: options as unknown as Options, isCsv: csv === true }
        return runAction(self, (context) => showFigures(context, spec, request))
      })
  }
}

interface FiguresRequest<Options> {
  readonly options: Options
  readonly isCsv: boolean
}

async function showFigures<Figures extends object, Row extends object, Options extends OptionValues>(
  context: Context,
  { fetch, rowsOf, columns, barOf, fullBar, quiet, need, sayBelow }: FiguresSpec<Figures, Row, Options>,
  { options, isCsv }: FiguresRequest<Options>,
): Promise<void> {
  const { output } = context
  if (isCsv && output.json) throw usageError('Use either --json or --csv.')
  const client = await openClient(context, need)
  const figures = await client.call((crm) => fetch({ crm, credential: client.credential }, options))
  const rows = rowsOf(figures, options)
  if (output.json) printJson(output, figures)
  else if (isCsv) printCsv(output, { rows, columns })
  else if (output.isTerminal && !output.isQuiet)
    await printList(output, { rows, columns: [...columns, barColumn(rows, { barOf, fullBar })] })
  else printRows(output, { rows, columns, quiet })
  if (sayBelow) output.say(sayBelow(figures))
}

interface Bars<Row> {
  readonly barOf: (row: Row) => number | undefined
  readonly fullBar: number | undefined
}

function barColumn<Row>(rows: readonly Row[], { barOf, fullBar }: Bars<Row>): Column<Row> {
  const greatest = rows.reduce((most, row) => Math.max(most, barOf(row) ?? 0), fullBar ?? 0)
  return { title: '', value: (row) => bar(barOf(row) ?? 0, greatest) || ' ', isOptional: true }
}

import type { NoInput } from '../../operations/operation.ts'
import { isForPeople, type Output } from '../../output/output.ts'
import { printRecord } from '../../output/print-record.ts'
import { type NoOptions, type NounCommand, withArticle } from './add-command.ts'
import { type ResultSpec, resultCommand } from './result-command.ts'

interface GetSpec<Row extends { readonly _id: string }>
  extends Omit<ResultSpec<NoInput, Row, NoOptions>, 'name' | 'print' | 'isRow'> {
  /** Printed on a terminal instead of a card. */
  readonly forPeople?: (output: Output, rows: readonly Row[]) => void
}

/** `crm NOUN get ID`, or `show`: prints one record. */
export function getCommand<Row extends { readonly _id: string }>({
  forPeople,
  ...spec
}: GetSpec<Row>): NounCommand<Row> {
  return (parent, noun) => {
    const get = resultCommand({
      ...spec,
      name: 'get',
      isRow: true,
      description: spec.description ?? `Show ${withArticle(noun)}.`,
      print: (output, row) => {
        if (forPeople && isForPeople(output)) forPeople(output, [row])
        else printRecord(output, { row, columns: noun.columns, quiet: row._id })
      },
    })
    get(parent, noun)
    parent.commands.at(-1)?.alias('show')
  }
}

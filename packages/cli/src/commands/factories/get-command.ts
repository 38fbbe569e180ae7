import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { isForPeople, type Output } from '../../output/output.ts'
import { printRecord } from '../../output/print-record.ts'
import { type Need, openClient } from '../../profile/open-client.ts'
import { runAction } from '../run-action.ts'
import { addCommand, type Call, type CommandWords, type NounCommand } from './add-command.ts'

interface GetSpec<Row extends { readonly _id: string }> extends CommandWords {
  /** The description of the argument; default: "the id of the NOUN". */
  readonly id?: string
  /** Default: any credential. */
  readonly need?: Need | ((id: string) => Need)
  readonly columns: readonly Column<Row>[]
  /** Printed on a terminal instead of a card. */
  readonly forPeople?: (output: Output, rows: readonly Row[]) => void
  readonly fetch: (call: Call & { readonly id: string }) => PromiseLike<Row>
}

/** `crm NOUN get ID`, or `show`: prints one record. */
export function getCommand<Row extends { readonly _id: string }>(spec: GetSpec<Row>): NounCommand {
  return (parent, noun) => {
    addCommand(parent, { ...spec, name: 'get' })
      .alias('show')
      .argument('<id>', spec.id ?? `the id of the ${noun.name}`)
      .action((id, _, self) => runAction(self, (context) => runGet(context, spec, id)))
  }
}

async function runGet<Row extends { readonly _id: string }>(
  context: Context,
  { need, columns, fetch, forPeople }: GetSpec<Row>,
  id: string,
): Promise<void> {
  const { output } = context
  const { call, credential } = await openClient(context, typeof need === 'function' ? need(id) : need)
  const row = await call((crm) => fetch({ crm, credential, id }))
  if (forPeople && isForPeople(output)) forPeople(output, [row])
  else printRecord(output, { row, columns, quiet: row._id })
}

import type { Context } from '../../context.ts'
import type { NoInput } from '../../operations/operation.ts'
import type { Column } from '../../output/column.ts'
import { isForPeople, type Output } from '../../output/output.ts'
import { printRecord } from '../../output/print-record.ts'
import { type Need, openClient } from '../../profile/open-client.ts'
import { runAction } from '../run-action.ts'
import {
  addOperationCommand,
  type Call,
  type NoOptions,
  type NounCommand,
  type OperationSpec,
  sampleId,
  withArticle,
} from './add-command.ts'

interface GetSpec<Row extends { readonly _id: string }>
  extends Omit<OperationSpec<NoInput, Row, NoOptions>, 'need'> {
  /** The description of the argument; default: "the id of the NOUN". */
  readonly id?: string
  /** Default: the credential that the operation needs. */
  readonly need?: (id: string) => Need
  /** Printed on a terminal instead of a card. */
  readonly forPeople?: (output: Output, rows: readonly Row[]) => void
  /** Default: the operation. */
  readonly fetch?: (call: Call & { readonly id: string }) => PromiseLike<Row>
}

/** `crm NOUN get ID`, or `show`: prints one record. */
export function getCommand<Row extends { readonly _id: string }>({
  id: argument,
  need,
  ...spec
}: GetSpec<Row>): NounCommand<Row> {
  return (parent, noun) => {
    addOperationCommand(parent, spec, {
      name: 'get',
      description: `Show ${withArticle(noun)}.`,
      example: sampleId(noun),
    })
      .command.alias('show')
      .argument('<id>', argument ?? `the id of the ${noun.name}`)
      .action((id, _, self) =>
        runAction(self, (context) =>
          runGet(context, spec, { id, columns: noun.columns, need: need?.(id) ?? spec.operation.need }),
        ),
      )
  }
}

interface GetRequest<Row> {
  readonly id: string
  readonly columns: readonly Column<Row>[]
  readonly need: Need
}

async function runGet<Row extends { readonly _id: string }>(
  context: Context,
  { operation, fetch, forPeople }: Omit<GetSpec<Row>, 'need'>,
  { id, columns, need }: GetRequest<Row>,
): Promise<void> {
  const { output } = context
  const { call, credential } = await openClient(context, need)
  const row = await call((crm) => (fetch ? fetch({ crm, credential, id }) : operation.send(crm, id, {})))
  if (forPeople && isForPeople(output)) forPeople(output, [row])
  else printRecord(output, { row, columns, quiet: row._id })
}

import type { OptionValues } from '@commander-js/extra-typings'
import type { Page } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { assertFields } from '../../output/assert-fields.ts'
import type { Column } from '../../output/column.ts'
import type { Output } from '../../output/output.ts'
import { openClient } from '../../profile/open-client.ts'
import type { PagingOptions } from '../collect-rows.ts'
import { allOption, cursorOption, limitOption } from '../option-values.ts'
import { runAction } from '../run-action.ts'
import { showList } from '../show-list.ts'
import {
  addOperationCommand,
  type Call,
  type NoOptions,
  type Noun,
  type NounCommand,
  type OperationSpec,
} from './add-command.ts'

interface ListSpec<Row extends { readonly _id: string }, Query, Options extends OptionValues>
  extends OperationSpec<Query, Page<Row>, Options> {
  /** Default: `list`. */
  readonly name?: string
  /** An argument with its description: the id of the resource that the rows belong to. */
  readonly argument?: readonly [name: string, description: string]
  /** One row in the line below the table; default: the noun. */
  readonly rowName?: string
  /** The columns of a terminal, where they are others; they may need further requests. */
  readonly columnsForPeople?: (call: Call, rows: readonly Row[]) => Promise<readonly Column<Row>[]>
  /** Printed on a terminal instead of a table. */
  readonly forPeople?: (output: Output, rows: readonly Row[]) => void
  /** Runs once, before the first page; default: the query is the options. */
  readonly filterOf?: (given: Query & Options, call: Call) => Query | Promise<Query>
}

/** `crm NOUN list`: prints the rows of a list that the server gives in pages. */
export function listCommand<
  Row extends { readonly _id: string },
  Query,
  Options extends OptionValues = NoOptions,
>(spec: ListSpec<Row, Query, Options>): NounCommand<Row> {
  return (parent, noun) => {
    const { command, valuesOf } = addOperationCommand(parent, spec, {
      name: spec.name ?? 'list',
      description: `${spec.operation.summary}.`,
      isFilter: true,
    })
    if (spec.argument) command.argument(...spec.argument)
    command
      .addOption(limitOption())
      .addOption(allOption())
      .addOption(cursorOption())
      .action((...given: unknown[]) => {
        const { limit, all, cursor, ...options } = command.opts() as OptionValues & PagingOptions
        const request = {
          id: spec.argument ? String(given[0]) : '',
          values: valuesOf(options) as Query & Options,
          paging: { limit, all, cursor },
          noun,
        }
        return runAction(command, (context) => runList(context, spec, request))
      })
  }
}

interface ListRequest<Row, Values> {
  readonly noun: Noun<Row>
  readonly id: string
  readonly values: Values
  readonly paging: PagingOptions
}

async function runList<Row extends { readonly _id: string }, Query, Options extends OptionValues>(
  context: Context,
  spec: ListSpec<Row, Query, Options>,
  { noun, id, values, paging }: ListRequest<Row, Query & Options>,
): Promise<void> {
  const { operation, need = operation.need, columnsForPeople, filterOf, forPeople } = spec
  assertFields(context.output, operation.reply)
  const { call, credential } = await openClient(context, need)
  const filter = filterOf ? await call(async (crm) => filterOf(values, { crm, credential })) : values
  await showList(context, {
    paging,
    columns: noun.columns,
    forPeople,
    columnsForPeople:
      columnsForPeople && ((rows) => call((crm) => columnsForPeople({ crm, credential }, rows))),
    noun: spec.rowName ?? noun.name,
    fetchPage: (page) => call((crm) => operation.send(crm, id, { ...filter, ...page })),
  })
}

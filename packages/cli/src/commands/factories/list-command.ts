import type { OptionValues } from '@commander-js/extra-typings'
import type { Page } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { openClient } from '../../profile/open-client.ts'
import type { PagingOptions } from '../collect-rows.ts'
import { allOption, cursorOption, limitOption } from '../option-values.ts'
import { runAction } from '../run-action.ts'
import { showList } from '../show-list.ts'
import {
  addOperationCommand,
  type Call,
  type NoOptions,
  type NounCommand,
  type OperationSpec,
} from './add-command.ts'

interface ListSpec<Row extends { readonly _id: string }, Query, Options extends OptionValues>
  extends OperationSpec<Query, Page<Row>, Options> {
  /** Default: `list`. */
  readonly name?: string
  /** One row in the line below the table; default: the noun. */
  readonly rowName?: string
  /** The columns of a terminal, where they are others; they may need further requests. */
  readonly columnsForPeople?: (call: Call, rows: readonly Row[]) => Promise<readonly Column<Row>[]>
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
    command
      .addOption(limitOption())
      .addOption(allOption())
      .addOption(cursorOption())
      .action((given, self) => {
        const { limit, all, cursor, ...options } = given as OptionValues & PagingOptions
        const values = valuesOf(options) as Query & Options
        const { columns, name } = noun
        const request = { values, columns, paging: { limit, all, cursor }, rowName: spec.rowName ?? name }
        return runAction(self, (context) => runList(context, spec, request))
      })
  }
}

interface ListRequest<Row, Values> {
  readonly columns: readonly Column<Row>[]
  readonly values: Values
  readonly paging: PagingOptions
  readonly rowName: string
}

async function runList<Row extends { readonly _id: string }, Query, Options extends OptionValues>(
  context: Context,
  { operation, need = operation.need, columnsForPeople, filterOf }: ListSpec<Row, Query, Options>,
  { values, columns, paging, rowName }: ListRequest<Row, Query & Options>,
): Promise<void> {
  const { call, credential } = await openClient(context, need)
  const filter = filterOf ? await call(async (crm) => filterOf(values, { crm, credential })) : values
  await showList(context, {
    paging,
    columns,
    columnsForPeople:
      columnsForPeople && ((rows) => call((crm) => columnsForPeople({ crm, credential }, rows))),
    noun: rowName,
    fetchPage: (page) => call((crm) => operation.send(crm, '', { ...filter, ...page })),
  })
}

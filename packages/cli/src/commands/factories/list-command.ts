import type { OptionValues } from '@commander-js/extra-typings'
import type { Page } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { type Need, openClient } from '../../profile/open-client.ts'
import type { PageQuery, PagingOptions } from '../collect-rows.ts'
import { allOption, cursorOption, limitOption } from '../option-values.ts'
import { runAction } from '../run-action.ts'
import { showList } from '../show-list.ts'
import {
  type AddOptions,
  addCommand,
  type Call,
  type CommandWords,
  type NoOptions,
  type NounCommand,
} from './add-command.ts'

interface ListCall<Filter> extends Call {
  readonly filter: Filter
}

interface ListSpec<Row extends { readonly _id: string }, Options extends OptionValues, Filter>
  extends CommandWords {
  /** Default: `list`. */
  readonly name?: string
  /** Default: any credential. */
  readonly need?: Need
  /** One row in the line below the table; default: the noun. */
  readonly rowName?: string
  readonly columns: readonly Column<Row>[]
  /** The columns of a terminal, where they are others; they may need further requests. */
  readonly columnsForPeople?: (call: Call, rows: readonly Row[]) => Promise<readonly Column<Row>[]>
  /** `--limit`, `--all` and `--cursor` are added to these. */
  readonly options?: AddOptions<Options>
  /** Runs once, before the first page; default: the filter is the options. */
  readonly filterOf?: (options: Options, call: Call) => Filter | Promise<Filter>
  readonly fetchPage: (call: ListCall<Filter>, query: PageQuery) => PromiseLike<Page<Row>>
}

/** `crm NOUN list`: prints the rows of a list that the server gives in pages. */
export function listCommand<
  Row extends { readonly _id: string },
  Options extends OptionValues = NoOptions,
  Filter = Options,
>(spec: ListSpec<Row, Options, Filter>): NounCommand {
  return (parent, noun) => {
    addCommand(parent, { ...spec, name: spec.name ?? 'list' })
      .addOption(limitOption())
      .addOption(allOption())
      .addOption(cursorOption())
      .action((given, self) => {
        const { limit, all, cursor, ...options } = given as Options & PagingOptions
        const rowName = spec.rowName ?? noun.name
        const request = { options: options as unknown as Options, paging: { limit, all, cursor }, rowName }
        return runAction(self, (context) => runList(context, spec, request))
      })
  }
}

interface ListRequest<Options> {
  readonly options: Options
  readonly paging: PagingOptions
  readonly rowName: string
}

async function runList<Row extends { readonly _id: string }, Options extends OptionValues, Filter>(
  context: Context,
  { need, columns, columnsForPeople, filterOf, fetchPage }: ListSpec<Row, Options, Filter>,
  { options, paging, rowName }: ListRequest<Options>,
): Promise<void> {
  const { call, credential } = await openClient(context, need)
  const filter = filterOf
    ? await call(async (crm) => filterOf(options, { crm, credential }))
    : (options as unknown as Filter)
  await showList(context, {
    paging,
    columns,
    columnsForPeople:
      columnsForPeople && ((rows) => call((crm) => columnsForPeople({ crm, credential }, rows))),
    noun: rowName,
    fetchPage: (query) => call((crm) => fetchPage({ crm, credential, filter }, query)),
  })
}

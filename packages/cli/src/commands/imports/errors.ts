import { pipeline } from 'node:stream/promises'
import { Option } from '@commander-js/extra-typings'
import type { ImportIssue, ImportsListErrorsQuery } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { wholeOf } from '../../output/save-stream.ts'
import { openClient } from '../../profile/open-client.ts'
import type { FetchPage, PagingOptions } from '../collect-rows.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { allOption, cursorOption, limitOption } from '../option-values.ts'
import { runAction } from '../run-action.ts'
import { showList } from '../show-list.ts'
import { type FileModule, fileModules } from './file-modules.ts'
import { latestRunId } from './latest-run.ts'

const columns: readonly Column<ImportIssue>[] = [
  { title: 'Severity', value: (row) => row.severity },
  { title: 'Module', value: (row) => row.module },
  { title: 'Record', value: (row) => row.externalId, isFlexible: true },
  { title: 'Row', value: (row) => row.row },
  { title: 'Code', value: (row) => row.code },
  { title: 'Column', value: (row) => row.column, isFlexible: true },
  { title: 'Value', value: (row) => row.value, isFlexible: true },
  { title: 'Count', value: (row) => row.count },
  { title: 'Message', value: (row) => row.message, isFlexible: true, isMain: true },
]

const codes = [
  'AMBIGUOUS_MATCH',
  'BALANCE_OPEN',
  'CELL_COUNT',
  'CHANGED_SINCE',
  'COLUMN_NOT_STORED',
  'CONFLICT_KEPT',
  'DATE_ORDER',
  'DELETED_HERE',
  'DUPLICATE_ID',
  'ERASED',
  'FILE_CUT',
  'ID_CONFLICT',
  'INVALID_RECORD',
  'INVALID_VALUE',
  'MODULE_FORBIDDEN',
  'NAME_DIFFERS',
  'OPEN_QUOTE',
  'OUTSIDE_TABLE',
  'OUT_OF_RANGE',
  'PARENT_MISSING',
  'PARENT_NOT_SELECTED',
  'ROUNDED_ID',
  'SOURCE_TRUNCATED',
  'TOO_MANY_COLUMNS',
  'UNMAPPED_VALUE',
] as const satisfies readonly ImportsListErrorsQuery['code'][]

interface ErrorsOptions extends PagingOptions {
  readonly severity?: ImportsListErrorsQuery['severity']
  readonly code?: ImportsListErrorsQuery['code']
  readonly csv?: true
}

export const listErrors: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'errors',
    description: 'List the records that were not imported as they are, oldest first.',
    examples: [
      'crm imports errors int_01J8ZQ4W9P',
      'crm imports errors int_01J8ZQ4W9P --code DUPLICATE_ID --all',
      'crm imports errors int_01J8ZQ4W9P imp_01J8ZQ4W9P --severity error --csv > errors.csv',
    ],
    options: (command) =>
      command
        .addOption(
          new Option('--severity <severity>', 'only rows of this severity').choices([
            'error',
            'warning',
            'skipped',
            'kept',
          ] as const),
        )
        .addOption(new Option('--code <code>', 'only rows with this code').choices(codes))
        .addOption(limitOption())
        .addOption(allOption())
        .addOption(cursorOption())
        .option('--csv', 'write all of them to stdout as comma-separated values, with a line of titles'),
  })
    .argument('<integration>', 'the id of the integration')
    .argument('[run]', 'the id of the import; default: the latest')
    .action((id, run, options, self) =>
      runAction(self, (context) => showErrors(context, { id, run }, options)),
    )
}

interface RunRef {
  readonly id: string
  readonly run: string | undefined
}

async function showErrors(
  context: Context,
  { id, run }: RunRef,
  { severity, code, csv, ...paging }: ErrorsOptions,
): Promise<void> {
  const { output } = context
  if (csv && output.json) throw usageError('Use either --csv or --json.')
  // External text could contain escape sequences that control the terminal.
  if (csv && output.isTerminal) throw usageError('A terminal cannot show the file: redirect stdout.')
  const client = await openClient(context)
  const runId = run ?? (await latestRunId(client, id))
  const fetchPage: FetchPage<ImportIssue> = (query) =>
    client.call((crm) => crm.imports.listErrors(id, runId, { severity, code, ...query }))
  if (!csv) return showList(context, { paging, columns, noun: 'row', fetchPage })
  const file = await client.call((crm) =>
    crm.imports.exportErrors(id, runId, { severity, code, format: 'csv' }),
  )
  await pipeline(wholeOf(file), process.stdout)
}

export const saveRejected: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'rejected',
    description:
      'Write the rows of a file that were not imported to stdout, to correct them and upload them again.',
    notes: 'The last three columns say what was wrong; an upload leaves them out.',
    examples: ['crm imports rejected int_01J8ZQ4W9P imp_01J8ZQ4W9P > rejected.csv'],
  })
    .argument('<integration>', 'the id of the integration')
    .argument('[run]', 'the id of the import; default: the latest')
    .addOption(
      new Option(
        '--module <module>',
        'the kind of the records; default: the first file of the import',
      ).choices(fileModules),
    )
    .action((id, run, { module }, self) =>
      runAction(self, async (context) => {
        if (context.output.isTerminal) throw usageError('A terminal cannot show the file: redirect stdout.')
        const client = await openClient(context)
        const runId = run ?? (await latestRunId(client, id))
        const file = await client.call((crm) =>
          crm.imports.exportRejected(id, runId, { module: module as FileModule | undefined }),
        )
        await pipeline(wholeOf(file), process.stdout)
      }),
    )
}

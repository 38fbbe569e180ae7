import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { WebhooksLogsQuery } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { escapeJsonText } from '../../output/clean-text.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import type { PagingOptions } from '../collect-rows.ts'
import { allOption, cursorOption, limitOption } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { showList } from '../show-list.ts'
import { followLogs } from './follow-logs.ts'
import { logColumns } from './log-columns.ts'
import { requestLines } from './request-lines.ts'

interface LogsRequest {
  readonly id: string
  readonly filter: WebhooksLogsQuery
  readonly paging: PagingOptions
}

export function defineWebhookLogs(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('logs')
    .argument('<id>', 'the id of the webhook')
    .argument('[log]', 'the id of an attempt: shows only this attempt, with its request')
    .summary('List or follow the delivery attempts of a webhook')
    .description('List the delivery attempts of a webhook, newest first. A pending attempt is planned.')
    .addOption(
      new Option('--status <status>', 'with this result').choices(['pending', 'success', 'failed'] as const),
    )
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(cursorOption())
    .addOption(
      new Option('-f, --follow', 'print new attempts, oldest first, until Ctrl-C').conflicts([
        'all',
        'cursor',
      ]),
    )
    .addHelpText(
      'after',
      examples(
        'crm webhooks logs whk_01J8ZQ4W7N --status failed --limit 50',
        'crm webhooks logs whk_01J8ZQ4W7N log_01J8ZQ4W7N',
        'crm webhooks logs whk_01J8ZQ4W7N --follow',
      ),
    )
    .action((id, logId, { limit, all, cursor, follow, ...filter }, self) =>
      runAction(self, (context) => {
        if (logId !== undefined) return showLog(context, id, logId)
        return follow
          ? followLogs(context, { id, filter, limit })
          : listLogs(context, { id, filter, paging: { limit, all, cursor } })
      }),
    )
}

async function showLog(context: Context, id: string, logId: string): Promise<void> {
  const client = await openClient(context)
  const row = await client.call((crm) => crm.webhooks.getLog(id, logId))
  const { output } = context
  printRecord(output, { row, columns: logColumns, quiet: row._id })
  // A program reads one line, or the JSON, which has both.
  if (output.json || output.isQuiet || !output.isTerminal) return
  if (row.request) output.print(['', ...requestLines(row.request)].join('\n'))
  if (row.body) output.print(`\n${escapeJsonText(JSON.stringify(row.body, null, 2))}`)
}

async function listLogs(context: Context, { id, filter, paging }: LogsRequest): Promise<void> {
  const client = await openClient(context)
  await showList(context, {
    paging,
    columns: logColumns,
    noun: 'attempt',
    fetchPage: (query) => client.call((crm) => crm.webhooks.logs(id, { ...filter, ...query })),
  })
}

import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { WebhooksLogsQuery } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { printList } from '../../output/print-list.ts'
import { openClient } from '../../profile/open-client.ts'
import { collectRows, type PagingOptions } from '../collect-rows.ts'
import { allOption, cursorOption, limitOption } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { logColumns } from './webhook-columns.ts'

interface LogsRequest {
  readonly id: string
  readonly filter: WebhooksLogsQuery
  readonly paging: PagingOptions
}

export function defineWebhookLogs(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('logs')
    .argument('<id>', 'the id of the webhook')
    .summary('List the attempts to deliver to a webhook')
    .description('List the attempts to deliver to a webhook, newest first. A pending one is planned.')
    .addOption(
      new Option('--status <status>', 'with this result').choices(['pending', 'success', 'failed'] as const),
    )
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(cursorOption())
    .addHelpText('after', examples('crm webhooks logs whk_01J8ZQ4W7N --status failed --limit 50'))
    .action((id, { limit, all, cursor, ...filter }, self) =>
      runAction(self, (context) => listLogs(context, { id, filter, paging: { limit, all, cursor } })),
    )
}

async function listLogs(context: Context, { id, filter, paging }: LogsRequest): Promise<void> {
  const client = await openClient(context)
  const found = await collectRows(paging, (query) =>
    client.call((crm) => crm.webhooks.logs(id, { ...filter, ...query })),
  )
  await printList(context.output, { ...found, columns: logColumns, quiet: ({ _id }) => _id, noun: 'attempt' })
}

import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { WebhooksListQuery } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import type { PagingOptions } from '../collect-rows.ts'
import { allOption, cursorOption, eitherFlag, limitOption } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { showList } from '../show-list.ts'
import { webhookColumns } from './webhook-columns.ts'

export function defineListWebhooks(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('list')
    .description('List webhooks, newest first.')
    .option('--active', 'only active webhooks')
    .option('--inactive', 'only inactive webhooks')
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(cursorOption())
    .addHelpText('after', examples('crm webhooks list --active', 'crm webhooks list --json _id,url,isActive'))
    .action((options, self) => {
      const filter = { isActive: eitherFlag(options.active, options.inactive) }
      return runAction(self, (context) => listWebhooks(context, filter, options))
    })
}

async function listWebhooks(
  context: Context,
  filter: WebhooksListQuery,
  paging: PagingOptions,
): Promise<void> {
  const client = await openClient(context)
  await showList(context, {
    paging,
    columns: webhookColumns,
    noun: 'webhook',
    fetchPage: (query) => client.call((crm) => crm.webhooks.list({ ...filter, ...query })),
  })
}

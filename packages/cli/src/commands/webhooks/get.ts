import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { webhookColumns } from './webhook-columns.ts'

export function defineGetWebhook(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('get')
    .argument('<id>', 'the id of the webhook')
    .description('Show a webhook. Its signing secret is never shown again.')
    .addHelpText('after', examples('crm webhooks get whk_01J8ZQ4W7N'))
    .action((id, _, self) => runAction(self, (context) => getWebhook(context, id)))
}

async function getWebhook(context: Context, id: string): Promise<void> {
  const client = await openClient(context)
  const webhook = await client.call((crm) => crm.webhooks.get(id))
  printRecord(context.output, { row: webhook, columns: webhookColumns, quiet: webhook._id })
}

import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { logColumns } from './log-columns.ts'

interface RedeliverRequest {
  readonly id: string
  readonly logId: string
}

export function defineRedeliver(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('redeliver')
    .argument('<id>', 'the id of the webhook')
    .argument('<log>', 'the id of an attempt, as in "crm webhooks logs"')
    .summary('Send the event of an attempt again immediately')
    .description('Send the event of an attempt again immediately. "crm webhooks logs ID" shows the result.')
    .addHelpText('after', examples('crm webhooks redeliver whk_01J8ZQ4W7N log_01J8ZQ4W7N'))
    .action((id, logId, _, self) => runAction(self, (context) => redeliver(context, { id, logId })))
}

async function redeliver(context: Context, { id, logId }: RedeliverRequest): Promise<void> {
  const client = await openClient(context)
  const row = await client.call((crm) => crm.webhooks.redeliver(id, logId))
  context.output.say('Planned the attempt.')
  printRecord(context.output, { row, columns: logColumns, quiet: row._id })
}

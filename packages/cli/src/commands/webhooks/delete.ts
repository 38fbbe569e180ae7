import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { printRemoved } from '../print-removed.ts'
import { examples, runAction } from '../run-action.ts'

interface DeleteRequest {
  readonly id: string
  readonly yes: true | undefined
}

export function defineDeleteWebhook(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('delete')
    .argument('<id>', 'the id of the webhook')
    .summary('Remove a webhook and its delivery log')
    .description(
      'Remove a webhook and its delivery log. To keep both, use "crm webhooks update ID --deactivate".',
    )
    .addOption(yesOption())
    .addHelpText('after', examples('crm webhooks delete whk_01J8ZQ4W7N --yes'))
    .action((id, { yes }, self) => runAction(self, (context) => deleteWebhook(context, { id, yes })))
}

async function deleteWebhook(context: Context, { id, yes }: DeleteRequest): Promise<void> {
  const question = `Delete ${cleanLine(id)} and its delivery log?`
  await assertConfirmed(context, { question, refusal: 'Nothing was deleted.', yes })
  const client = await openClient(context)
  const reply = await client.call((crm) => crm.webhooks.delete(id))
  printRemoved(context.output, { id, reply })
}

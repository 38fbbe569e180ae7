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

export function defineDeleteInbox(inboxes: CommandUnknownOpts): void {
  inboxes
    .command('delete')
    .argument('<id>', 'the id of the inbox')
    .summary('Remove an inbox')
    .description('Remove an inbox that is not the default and has no conversations.')
    .addOption(yesOption())
    .addHelpText('after', examples('crm inboxes delete inb_01J8ZQ4W7N --yes'))
    .action((id, { yes }, self) => runAction(self, (context) => deleteInbox(context, { id, yes })))
}

async function deleteInbox(context: Context, { id, yes }: DeleteRequest): Promise<void> {
  const question = `Delete ${cleanLine(id)} with its settings?`
  await assertConfirmed(context, { question, refusal: 'Nothing was deleted.', yes })
  const client = await openClient(context, 'session')
  const reply = await client.call((crm) => crm.inboxes.delete(id))
  printRemoved(context.output, { id, reply })
}

import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { printRemoved } from '../print-removed.ts'
import { examples, runAction } from '../run-action.ts'

interface DeleteRequest {
  readonly id: string
  readonly reason?: string | undefined
  readonly yes?: true | undefined
}

export function defineDeleteConversation(conversations: CommandUnknownOpts): void {
  conversations
    .command('delete')
    .argument('<id>', 'the id of the conversation')
    .summary('Erase a conversation and its messages')
    .description('Erase a conversation and its messages. It cannot be undone.')
    .option('--reason <text>', 'for the audit log')
    .addOption(yesOption())
    .addHelpText('after', examples('crm conversations delete con_01J8ZQ4W7N --reason spam --yes'))
    .action((id, options, self) =>
      runAction(self, (context) => deleteConversation(context, { id, ...options })),
    )
}

async function deleteConversation(context: Context, { id, reason, yes }: DeleteRequest): Promise<void> {
  const question = `Erase ${cleanLine(id)} and its messages?`
  await assertConfirmed(context, { question, refusal: 'Nothing was deleted.', yes })
  const client = await openClient(context)
  const reply = await client.call((crm) => crm.conversations.delete(id, { reason }))
  printRemoved(context.output, { id, reply })
}

import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples, runAction } from '../run-action.ts'
import { changeConversation } from './change-conversation.ts'

export function defineReopenConversation(conversations: CommandUnknownOpts): void {
  conversations
    .command('reopen')
    .argument('<id>', 'the id of the conversation')
    .description('Open a conversation again.')
    .addHelpText('after', examples('crm conversations reopen con_01J8ZQ4W7N'))
    .action((id, _, self) =>
      runAction(self, (context) =>
        changeConversation(context, { id, said: 'Reopened the conversation.', body: { status: 'open' } }),
      ),
    )
}

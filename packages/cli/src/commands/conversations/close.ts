import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples, runAction } from '../run-action.ts'
import { changeConversation } from './change-conversation.ts'

export function defineCloseConversation(conversations: CommandUnknownOpts): void {
  conversations
    .command('close')
    .argument('<id>', 'the id of the conversation')
    .description('Close a conversation.')
    .addHelpText('after', examples('crm conversations close con_01J8ZQ4W7N'))
    .action((id, _, self) =>
      runAction(self, (context) =>
        changeConversation(context, { id, said: 'Closed the conversation.', body: { status: 'closed' } }),
      ),
    )
}

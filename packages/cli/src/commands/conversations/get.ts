import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { populatedColumns } from './conversation-columns.ts'

export function defineGetConversation(conversations: CommandUnknownOpts): void {
  conversations
    .command('get')
    .argument('<id>', 'the id of the conversation')
    .description('Show a conversation. Its messages: "crm conversations messages ID".')
    .addHelpText(
      'after',
      examples('crm conversations get con_01J8ZQ4W7N', 'crm conversations get con_01J8ZQ4W7N --json status'),
    )
    .action((id, _, self) => runAction(self, (context) => getConversation(context, id)))
}

async function getConversation(context: Context, id: string): Promise<void> {
  const client = await openClient(context)
  const conversation = await client.call((crm) => crm.conversations.get(id))
  printRecord(context.output, { row: conversation, columns: populatedColumns, quiet: conversation._id })
}

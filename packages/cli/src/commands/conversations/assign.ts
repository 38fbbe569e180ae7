import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { conversationColumns } from './conversation-columns.ts'
import { findAssignee } from './find-assignee.ts'

interface AssignRequest {
  readonly id: string
  readonly user: string
}

export function defineAssignConversation(conversations: CommandUnknownOpts): void {
  conversations
    .command('assign')
    .argument('<id>', 'the id of the conversation')
    .argument('<user>', 'an id, an e-mail, me or none')
    .summary('Assign a conversation to a user, or to nobody')
    .description('Assign a conversation to a user, or to nobody.')
    .addHelpText(
      'after',
      examples('crm conversations assign con_01J8ZQ4W7N me', 'crm conversations assign con_01J8ZQ4W7N none'),
    )
    .action((id, user, _, self) => runAction(self, (context) => assignConversation(context, { id, user })))
}

async function assignConversation(context: Context, { id, user }: AssignRequest): Promise<void> {
  const client = await openClient(context)
  const assignedTo = await findAssignee(client, user)
  const row = await client.call((crm) => crm.conversations.update(id, { assignedTo }))
  context.output.say(
    assignedTo === null ? 'Assigned the conversation to nobody.' : 'Assigned the conversation.',
  )
  printRecord(context.output, { row, columns: conversationColumns, quiet: row._id })
}

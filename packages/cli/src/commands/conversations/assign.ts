import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import { addCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'
import { findAssignee } from './find-assignee.ts'
import { printConversation } from './print-conversation.ts'

interface AssignRequest {
  readonly id: string
  readonly user: string
}

export function defineAssignConversation(conversations: CommandUnknownOpts): void {
  addCommand(conversations, {
    name: 'assign',
    description: 'Assign a conversation to a user, or remove its assignee.',
    examples: ['crm conversations assign con_01J8ZQ4W7N me', 'crm conversations assign con_01J8ZQ4W7N none'],
  })
    .argument('<id>', 'the id of the conversation')
    .argument('<user>', 'an id, an e-mail, me or none')
    .action((id, user, _, self) => runAction(self, (context) => assignConversation(context, { id, user })))
}

async function assignConversation(context: Context, { id, user }: AssignRequest): Promise<void> {
  const client = await openClient(context)
  const { call, credential } = client
  const assignedTo = await call((crm) => findAssignee({ crm, credential }, user))
  const row = await call((crm) => crm.conversations.update(id, { assignedTo }))
  context.output.say(assignedTo === null ? 'Removed the assignee.' : 'Assigned the conversation.')
  await printConversation(context, client, row)
}

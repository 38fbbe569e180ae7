import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { messageColumns } from '../conversations/message-columns.ts'
import { printThread } from '../conversations/print-thread.ts'
import { examples, runAction } from '../run-action.ts'

export function defineGetMessage(messages: CommandUnknownOpts): void {
  messages
    .command('get')
    .argument('<id>', 'the id of the message')
    .description('Show a message.')
    .addHelpText(
      'after',
      examples('crm messages get msg_01J8ZQ4W7N', 'crm messages get msg_01J8ZQ4W7N --json status,content'),
    )
    .action((id, _, self) => runAction(self, (context) => getMessage(context, id)))
}

async function getMessage({ output, ...context }: Context, id: string): Promise<void> {
  const client = await openClient({ output, ...context })
  const row = await client.call((crm) => crm.messages.get(id))
  const isForPeople = output.isTerminal && !output.json && !output.isQuiet
  if (isForPeople) printThread(output, [row])
  else printRecord(output, { row, columns: messageColumns, quiet: row._id })
}

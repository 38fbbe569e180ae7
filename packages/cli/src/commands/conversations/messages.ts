import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import type { PagingOptions } from '../collect-rows.ts'
import { allOption, cursorOption, limitOption } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { showList } from '../show-list.ts'
import { messageColumns } from './message-columns.ts'
import { printThread } from './print-thread.ts'

interface MessagesRequest {
  readonly id: string
  readonly order?: 'asc' | 'desc' | undefined
  readonly paging: PagingOptions
}

export function defineListMessages(conversations: CommandUnknownOpts): void {
  conversations
    .command('messages')
    .argument('<id>', 'the id of the conversation')
    .summary('Read the messages of a conversation')
    .description('Read the messages of a conversation, oldest first; a terminal shows them as a thread.')
    .addOption(new Option('--order <order>', 'default: asc').choices(['asc', 'desc'] as const))
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(cursorOption())
    .addHelpText(
      'after',
      examples(
        'crm conversations messages con_01J8ZQ4W7N --order desc --limit 5',
        'crm conversations messages con_01J8ZQ4W7N --all --json sender.name,content',
      ),
    )
    .action((id, { order, limit, all, cursor }, self) =>
      runAction(self, (context) => listMessages(context, { id, order, paging: { limit, all, cursor } })),
    )
}

async function listMessages(context: Context, { id, order, paging }: MessagesRequest): Promise<void> {
  const client = await openClient(context)
  await showList(context, {
    paging,
    columns: messageColumns,
    noun: 'message',
    forPeople: printThread,
    fetchPage: (query) => client.call((crm) => crm.messages.list(id, { order, ...query })),
  })
}

import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { messageColumns } from '../conversations/message-columns.ts'
import { examples, runAction } from '../run-action.ts'

const reportable = ['delivered', 'read', 'failed'] as const

interface UpdateRequest {
  readonly id: string
  readonly status: (typeof reportable)[number]
}

export function defineUpdateMessage(messages: CommandUnknownOpts): void {
  messages
    .command('update')
    .argument('<id>', 'the id of the message')
    .summary('Report how far a message has come')
    .description('Report how far a message has come, for who sends it on; it only moves forwards.')
    .addOption(new Option('--status <status>', 'what became of it').choices(reportable).makeOptionMandatory())
    .addHelpText('after', examples('crm messages update msg_01J8ZQ4W7N --status delivered'))
    .action((id: string, { status }: Pick<UpdateRequest, 'status'>, self) =>
      runAction(self, (context) => updateMessage(context, { id, status })),
    )
}

async function updateMessage(context: Context, { id, status }: UpdateRequest): Promise<void> {
  const client = await openClient(context)
  const row = await client.call((crm) => crm.messages.update(id, { status }))
  context.output.say('Changed the message.')
  printRecord(context.output, { row, columns: messageColumns, quiet: row._id })
}

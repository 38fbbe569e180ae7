import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { usageError } from '../../cli-error.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { conversationColumns } from '../conversations/conversation-columns.ts'
import { examples, runAction } from '../run-action.ts'

/** `crm mails make-conversation ID`: the sender is one value of the API, and two options here. */
export function defineMakeConversation(mails: CommandUnknownOpts): void {
  mails
    .command('make-conversation')
    .argument('<id>', 'the id of the mail')
    .summary('Make a conversation of a mail that is parked, a duplicate or a loop')
    .description(
      'Make a conversation of a mail that is parked, a duplicate or a loop, or add it to one. The message follows within seconds.',
    )
    .option('--conversation-id <id>', 'add the mail to this conversation')
    .option('--customer-id <id>', 'the customer; default: whoever has the address of the sender')
    .option('--sender-address <email>', 'the sender; default: the one that the mail names')
    .option('--sender-name <name>', 'the name of the sender')
    .addHelpText(
      'after',
      examples(
        'crm mails make-conversation mail_01J8ZQ4W7N --sender-address grace@example.com --sender-name "Grace Hopper"',
      ),
    )
    .action((id, { senderAddress: address, senderName: name, ...place }, self) =>
      runAction(self, async (context) => {
        if (name !== undefined && address === undefined)
          throw usageError('--sender-name needs --sender-address.')
        const sender = address !== undefined && { sender: { address, ...(name !== undefined && { name }) } }
        const { call } = await openClient(context, 'session')
        const row = await call((crm) => crm.mails.makeConversation(id, { ...place, ...sender }))
        context.output.say('The mail becomes a message of the conversation.')
        printRecord(context.output, { row, columns: conversationColumns, quiet: row._id })
      }),
    )
}

import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { UpdateConversation } from '@crmkit/sdk'
import { assertChange } from '../assert-change.ts'
import { clearedFields, clearOption } from '../clear-option.ts'
import { addToList } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { changeConversation } from './change-conversation.ts'
import { channelOption, priorityOption } from './conversation-values.ts'

interface UpdateOptions extends Pick<UpdateConversation, 'subject' | 'priority' | 'channel' | 'labels'> {
  readonly inbox?: string | undefined
  readonly customer?: string | undefined
  readonly clear?: readonly string[] | undefined
}

export function defineUpdateConversation(conversations: CommandUnknownOpts): void {
  conversations
    .command('update')
    .argument('<id>', 'the id of the conversation')
    .summary('Change subject, priority, channel, labels, inbox or customer')
    .description(
      'Change a conversation. What is not named stays. Status, assignee and single labels have their own commands.',
    )
    .option('--subject <text>', 'what it is about')
    .addOption(priorityOption('priority'))
    .addOption(channelOption('channel'))
    .option('--labels <list>', 'all labels, comma separated', addToList)
    .option('--inbox <id>', 'move it to this inbox')
    .option('--customer <id>', 'the customer it is with')
    .addOption(clearOption(['customer', 'labels']))
    .addHelpText('after', examples('crm conversations update con_01J8ZQ4W7N --priority urgent'))
    .action((id, options, self) =>
      runAction(self, (context) =>
        changeConversation(context, { id, said: 'Changed the conversation.', body: bodyOf(options) }),
      ),
    )
}

function bodyOf({ inbox, customer, clear, ...fields }: UpdateOptions): UpdateConversation {
  const { customer: noCustomer, ...cleared } = clearedFields(clear)
  const body = { ...fields, ...cleared, inboxId: inbox, customerId: noCustomer === null ? null : customer }
  assertChange(body)
  return body
}

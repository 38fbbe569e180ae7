import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { UpdateConversation } from '@crmkit/sdk'
import { isoMoment, momentAfter } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { changeConversation } from './change-conversation.ts'

interface SnoozeOptions {
  readonly until?: string | undefined
  readonly for?: string | undefined
  readonly wake: boolean
}

export function defineSnoozeConversation(conversations: CommandUnknownOpts): void {
  conversations
    .command('snooze')
    .argument('<id>', 'the id of the conversation')
    .summary('Put a conversation aside for a time')
    .description(
      'Put a conversation aside for a time; with neither --for nor --until, until the customer writes.',
    )
    .addOption(new Option('--for <time>', 'such as 4h or 2d').argParser(momentAfter).conflicts('until'))
    .option('--until <time>', 'such as 2027-01-31T09:00:00Z', isoMoment)
    .option('--no-wake', 'stay asleep when the customer writes')
    .addHelpText(
      'after',
      examples('crm conversations snooze con_01J8ZQ4W7N --for 4h', 'crm conversations snooze con_01J8ZQ4W7N'),
    )
    .action((id, options, self) =>
      runAction(self, (context) =>
        changeConversation(context, { id, said: 'Snoozed the conversation.', body: bodyOf(options) }),
      ),
    )
}

function bodyOf({ until, for: after, wake }: SnoozeOptions): UpdateConversation {
  return { status: 'snoozed', snoozedUntil: until ?? after ?? null, wakeOnReply: wake }
}

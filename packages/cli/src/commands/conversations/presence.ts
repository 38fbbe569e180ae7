import { Option } from '@commander-js/extra-typings'
import type { Presence } from '@crmkit/sdk'
import { conversations } from '../../operations/conversations.gen.ts'
import type { Column } from '../../output/column.ts'
import { printAll } from '../../output/print-list.ts'
import { resultCommand } from '../factories/result-command.ts'

const states = ['viewing', 'replying', 'none'] as const

const columns: readonly Column<Presence>[] = [
  {
    title: 'Name',
    value: ({ user }) => [user.firstName, user.lastName].filter(Boolean).join(' '),
    isFlexible: true,
  },
  { title: 'State', value: ({ state }) => state },
  { title: 'Since', value: ({ since }) => since, isTime: true },
  { title: 'Id', value: ({ user }) => user._id },
]

/** `crm conversations presence`: who else is at a conversation, while this user is shown there too. */
export const showPresence = resultCommand({
  operation: conversations.setPresence,
  name: 'presence',
  description: 'Show colleagues that you are at a conversation, and list who else is there.',
  notes: 'It holds for 15 seconds, or as long as "crm events tail --live" of the same profile runs.',
  examples: ['crm conversations presence con_01J8ZQ4W7N --state replying'],
  only: [],
  options: (command) =>
    command.addOption(
      new Option('--state <state>', 'your state there; "none": you have left')
        .choices(states)
        .default('viewing' as const),
    ),
  print: (output, rows) => printAll(output, { rows, columns, quiet: ({ user }) => user._id }),
})

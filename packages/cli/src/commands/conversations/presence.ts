import { Option } from '@commander-js/extra-typings'
import type { Presence } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'
import { printList, printRows } from '../../output/print-list.ts'
import { openClient } from '../../profile/open-client.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'

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
export const showPresence: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'presence',
    description: 'Show colleagues that you are at a conversation, and list who else is there.',
    notes: 'It holds for 15 seconds, or as long as "crm events tail --live" of the same profile runs.',
    examples: ['crm conversations presence con_01J8ZQ4W7N --state replying'],
  })
    .argument('<id>', 'the id of the conversation')
    .addOption(
      new Option('--state <state>', 'your state there; "none": you have left')
        .choices(states)
        .default('viewing'),
    )
    .action((id, { state }, self) =>
      runAction(self, async (context) => {
        const { output } = context
        const { call } = await openClient(context, 'session')
        const rows = await call((crm) =>
          crm.conversations.setPresence(id, { state: state as (typeof states)[number] }),
        )
        if (output.json || output.isTerminal) await printList(output, { rows, columns })
        else printRows(output, { rows, columns, quiet: ({ user }) => user._id })
      }),
    )
}

import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { ChangeConversations, ChangedConversation } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { counted } from '../../output/plural.ts'
import { printAll } from '../../output/print-list.ts'
import { openClient } from '../../profile/open-client.ts'
import { addCommand } from '../factories/add-command.ts'
import { addToList, futureMoment } from '../option-values.ts'
import { runAction } from '../run-action.ts'
import { findAssignee } from './find-assignee.ts'

const columns: readonly Column<ChangedConversation>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Result', value: (row) => row.result },
  { title: 'Code', value: (row) => row.code },
]

type Set = NonNullable<ChangeConversations['set']>

interface BulkOptions {
  readonly addLabels?: string[] | undefined
  readonly removeLabels?: string[] | undefined
  readonly status?: NonNullable<Set['status']> | undefined
  readonly priority?: NonNullable<Set['priority']> | undefined
  readonly assignTo?: string | undefined
  readonly inbox?: string | undefined
  readonly snoozedUntil?: string | undefined
}

/** `crm conversations bulk ID…`: changes up to 100 conversations. */
export function defineBulk(conversations: CommandUnknownOpts): void {
  addCommand(conversations, {
    name: 'bulk',
    summary: 'Change many conversations',
    description:
      'Change up to 100 conversations at once, with a result for each. Labels are removed before others are added.',
    examples: [
      'crm conversations bulk con_01J8ZQ4W7N con_01J8ZQ6B2K --status closed --add-labels refund',
      'crm conversations bulk con_01J8ZQ4W7N con_01J8ZQ6B2K --assign-to me --priority high',
    ],
  })
    .argument('<ids...>', 'ids of conversations')
    .addOption(
      new Option('--status <status>', 'the new state').choices([
        'open',
        'pending',
        'snoozed',
        'closed',
      ] as const),
    )
    .option(
      '--snoozed-until <time>',
      'with --status snoozed: a time such as 2027-01-31T09:00:00Z, or 4h',
      futureMoment,
    )
    .option('--assign-to <user>', 'an id, an e-mail, me or none')
    .addOption(
      new Option('--priority <priority>', 'the new priority').choices([
        'low',
        'medium',
        'high',
        'urgent',
      ] as const),
    )
    .option('--inbox <id>', 'move them to this inbox')
    .option('--add-labels <list>', 'comma separated', addToList)
    .option('--remove-labels <list>', 'comma separated', addToList)
    .action((ids, options, self) => runAction(self, (context) => changeMany(context, ids, options)))
}

async function changeMany(context: Context, ids: string[], options: BulkOptions): Promise<void> {
  const { status, priority, assignTo, inbox, snoozedUntil, addLabels, removeLabels } = options
  if (Object.values(options).every((value) => value === undefined))
    throw usageError(
      'Missing: one of --status, --assign-to, --priority, --inbox, --add-labels and --remove-labels.',
    )
  const client = await openClient(context)
  const { credential } = client
  const rows = await client.call(async (crm) => {
    const assignedTo = assignTo === undefined ? undefined : await findAssignee({ crm, credential }, assignTo)
    const set: Set = { status, priority, assignedTo, inboxId: inbox, snoozedUntil }
    return crm.conversations.updateMany({ ids, set, addLabels, removeLabels })
  })
  const { output } = context
  const changed = rows.filter(({ result }) => result === 'changed').length
  output.say(`Changed ${counted(changed, 'conversation')}.`)
  await printAll(output, { rows, columns, quiet: ({ _id }) => _id })
}

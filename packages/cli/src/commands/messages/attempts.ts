import type { MailAttempt } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { printList, printRows } from '../../output/print-list.ts'
import { openClient } from '../../profile/open-client.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'

const columns: readonly Column<MailAttempt>[] = [
  { title: 'Attempt', value: (row) => row.attempt },
  { title: 'When', value: (row) => row.at, isTime: true },
  { title: 'Outcome', value: (row) => row.outcome },
  { title: 'Code', value: (row) => row.code },
  { title: 'Response', value: (row) => row.response, isFlexible: true },
  { title: 'Recipients', value: (row) => row.recipients, isFlexible: true, isOptional: true },
  { title: 'Host', value: (row) => row.host, isOptional: true },
  { title: 'Duration in ms', value: (row) => row.durationMs, isOptional: true },
]

/** `crm messages attempts ID`: each attempt to send the message by e-mail. */
export const listAttempts: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'attempts',
    summary: 'List the attempts to send a message by e-mail',
    description: 'List the attempts to send a message by e-mail, with what the server said.',
    examples: ['crm messages attempts msg_01J8ZQ4W7N'],
  })
    .argument('<id>', 'the id of the message')
    .action((id, _options, self) => runAction(self, (context) => show(context, id)))
}

async function show(context: Context, id: string): Promise<void> {
  const { output } = context
  const { call } = await openClient(context)
  const rows = await call((crm) => crm.messages.attempts(id))
  const isForPrograms = !output.json && (output.isQuiet || !output.isTerminal)
  if (rows.length === 0) output.say('No attempt was made.')
  if (isForPrograms) printRows(output, { rows, columns, quiet: ({ outcome }) => outcome })
  else await printList(output, { rows, columns })
}

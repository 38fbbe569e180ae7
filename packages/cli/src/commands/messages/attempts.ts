import type { MailAttempt } from '@crmkit/sdk'
import { messages } from '../../operations/messages.gen.ts'
import type { Column } from '../../output/column.ts'
import { printAll } from '../../output/print-list.ts'
import { resultCommand } from '../factories/result-command.ts'

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
export const listAttempts = resultCommand({
  operation: messages.attempts,
  summary: 'List the attempts to send a message by e-mail',
  description: 'List the attempts to send a message by e-mail, with what the server said.',
  print: (output, rows) => {
    if (rows.length === 0) output.say('No attempt was made.')
    return printAll(output, { rows, columns, quiet: ({ outcome }) => outcome })
  },
})

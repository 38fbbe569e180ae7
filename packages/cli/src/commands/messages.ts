import { Option } from '@commander-js/extra-typings'
import { messageColumns as columns } from './conversations/message-columns.ts'
import { printThread } from './conversations/print-thread.ts'
import { defineNoun } from './factories/define-noun.ts'
import { getCommand } from './factories/get-command.ts'
import { updateCommand } from './factories/update-command.ts'

const reportableStatuses = ['delivered', 'read', 'failed'] as const

const getMessage = getCommand({
  description: 'Show a message.',
  examples: ['crm messages get msg_01J8ZQ4W7N', 'crm messages get msg_01J8ZQ4W7N --json status,content'],
  columns,
  forPeople: printThread,
  fetch: ({ crm, id }) => crm.messages.get(id),
})

const updateMessage = updateCommand({
  summary: 'Report the delivery status of a message',
  description:
    'Report the delivery status of a message, for programs that send it to the customer. The status only moves forward.',
  examples: ['crm messages update msg_01J8ZQ4W7N --status delivered'],
  columns,
  options: (command) =>
    command.addOption(
      new Option('--status <status>', 'the new status').choices(reportableStatuses).makeOptionMandatory(),
    ),
  send: ({ crm, id, input }) => crm.messages.update(id, input),
  done: 'Changed the message.',
})

export const defineMessages = defineNoun({
  name: 'message',
  notes:
    'To list the messages of a conversation, use "crm conversations messages"; to write one, "crm conversations reply" or "note".',
  examples: ['crm messages get msg_01J8ZQ4W7N'],
  commands: [getMessage, updateMessage],
})

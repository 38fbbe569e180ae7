import { Option } from '@commander-js/extra-typings'
import { messageColumns as columns } from './conversations/message-columns.ts'
import { printThread } from './conversations/print-thread.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { actionCommand, updateCommand } from './factories/update-command.ts'
import { listAttempts } from './messages/attempts.ts'

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

const sendAgain = actionCommand({
  name: 'send-again',
  summary: 'Send a failed e-mail again',
  description: 'Send a failed e-mail again, to the recipients who did not get it.',
  examples: ['crm messages send-again msg_01J8ZQ4W7N'],
  columns,
  send: ({ crm, id }) => crm.messages.sendAgain(id),
  done: 'The mail is queued again.',
})

const takeBack = deleteCommand({
  summary: 'Take back a reply that is still queued',
  description: 'Take back a reply by e-mail that is still queued, within the delay of its inbox.',
  examples: ['crm messages delete msg_01J8ZQ4W7N --yes'],
  question: (shown) => `Take back ${shown}?`,
  nameOf: ({ crm, id }) => crm.messages.get(id).then(({ content }) => content.slice(0, 40)),
  send: ({ crm, id }) => crm.messages.delete(id),
})

export const defineMessages = defineNoun({
  name: 'message',
  notes:
    'To list the messages of a conversation, use "crm conversations messages"; to write one, "crm conversations reply" or "note".',
  examples: ['crm messages get msg_01J8ZQ4W7N'],
  commands: [getMessage, updateMessage, listAttempts, sendAgain, takeBack],
})

import { messages } from '../operations/messages.gen.ts'
import { messageColumns as columns } from './conversations/message-columns.ts'
import { printThread } from './conversations/print-thread.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { actionCommand, updateCommand } from './factories/update-command.ts'
import { listAttempts } from './messages/attempts.ts'

export const defineMessages = defineNoun({
  name: 'message',
  prefix: 'msg',
  notes:
    'To list the messages of a conversation, use "crm conversations messages"; to write one, "crm conversations reply" or "note".',
  columns,
  examples: ['crm messages get msg_01J8ZQ4W7N'],
  commands: [
    getCommand({
      operation: messages.get,
      examples: ['crm messages get msg_01J8ZQ4W7N', 'crm messages get msg_01J8ZQ4W7N --json status,content'],
      forPeople: printThread,
    }),
    updateCommand({
      operation: messages.update,
      summary: 'Report the delivery status of a message',
      description:
        'Report the delivery status of a message, for programs that send it to the customer. The status only moves forward.',
      examples: ['crm messages update msg_01J8ZQ4W7N --status delivered'],
      fields: { status: { isMandatory: true } },
    }),
    listAttempts,
    actionCommand({
      operation: messages.sendAgain,
      summary: 'Send a failed e-mail again',
      done: 'The mail is queued again.',
    }),
    deleteCommand({
      operation: messages.delete,
      summary: 'Take back a reply that is still queued',
      description: 'Take back a reply by e-mail that is still queued, within the delay of its inbox.',
      question: (shown) => `Take back ${shown}?`,
      read: messages.get,
      nameOf: ({ content }) => content.slice(0, 40),
    }),
  ],
})

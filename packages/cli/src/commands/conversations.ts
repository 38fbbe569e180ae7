import { Option } from '@commander-js/extra-typings'
import type { Conversation, UpdateConversation } from '@crmkit/sdk'
import { conversations } from '../operations/conversations.gen.ts'
import { defineAssignConversation } from './conversations/assign.ts'
import {
  conversationColumns as columns,
  namedColumns,
  populatedColumns,
} from './conversations/conversation-columns.ts'
import { countConversations } from './conversations/counts.ts'
import { defineCreateConversation } from './conversations/create.ts'
import {
  defineDeleteDraft,
  defineDraft,
  defineListDrafts,
  defineListOwnDrafts,
  defineSendDraft,
} from './conversations/drafts.ts'
import { findAssignee } from './conversations/find-assignee.ts'
import { defineLabelConversation, defineUnlabelConversation } from './conversations/label.ts'
import { defineListMessages } from './conversations/messages.ts'
import { showPresence } from './conversations/presence.ts'
import { readNames } from './conversations/read-names.ts'
import { readConversation, unreadConversation } from './conversations/read-state.ts'
import { listRecipients } from './conversations/recipients.ts'
import { defineNote, defineReply } from './conversations/reply.ts'
import { type Call, withColumns } from './factories/add-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { actionCommand, updateCommand } from './factories/update-command.ts'
import { isoMoment, momentAfter } from './option-values.ts'

const columnsForPeople = async ({ crm }: Call, rows: readonly Conversation[]) =>
  namedColumns(await readNames(crm, rows))

export const defineConversations = defineNoun({
  name: 'conversation',
  prefix: 'con',
  columns,
  examples: ['crm conversations list --status open --assigned-to none'],
  commands: [
    listCommand({
      operation: conversations.list,
      description: 'List conversations, the last changed first.',
      examples: [
        'crm conversations list --status open,pending --assigned-to none',
        'crm conversations list --search refund --json _id,subject,updatedAt',
      ],
      columnsForPeople,
      fields: {
        assignedTo: { text: 'an id, an e-mail, me or none', value: 'user' },
        inboxId: { flag: 'inbox' },
        customerId: { flag: 'customer' },
      },
      filterOf: async (filter, call) => ({
        ...filter,
        assignedTo:
          filter.assignedTo === undefined
            ? undefined
            : ((await findAssignee(call, filter.assignedTo)) ?? 'none'),
      }),
    }),
    countConversations,
    withColumns(
      populatedColumns,
      getCommand({
        operation: conversations.get,
        description: 'Show a conversation. For its messages, use "crm conversations messages ID".',
        examples: [
          'crm conversations get con_01J8ZQ4W7N',
          'crm conversations get con_01J8ZQ4W7N --json status',
        ],
      }),
    ),
    defineCreateConversation,
    updateCommand({
      operation: conversations.update,
      summary: 'Change subject, priority, channel, labels, inbox or customer',
      description:
        'Change a conversation. Fields that you do not name stay as they are. Status, assignee and single labels have their own commands.',
      examples: ['crm conversations update con_01J8ZQ4W7N --priority urgent'],
      columnsForPeople,
      fields: {
        status: false,
        assignedTo: false,
        labels: 'all labels, comma separated',
        inboxId: { flag: 'inbox', text: 'move it to this inbox' },
        customerId: { flag: 'customer' },
        snoozedUntil: false,
        wakeOnReply: false,
      },
      clear: ['customer', 'labels'],
    }),
    defineListMessages,
    defineReply,
    defineNote,
    defineDraft,
    defineListDrafts,
    defineListOwnDrafts,
    defineSendDraft,
    defineDeleteDraft,
    defineAssignConversation,
    defineLabelConversation,
    defineUnlabelConversation,
    actionCommand({
      operation: conversations.update,
      name: 'snooze',
      summary: 'Snooze a conversation for a time',
      description:
        'Snooze a conversation for a time. Without --for and --until, it stays snoozed until the customer writes.',
      examples: [
        'crm conversations snooze con_01J8ZQ4W7N --for 4h',
        'crm conversations snooze con_01J8ZQ4W7N',
      ],
      columnsForPeople,
      fields: 'none',
      options: (command) =>
        command
          .addOption(new Option('--for <time>', 'such as 4h or 2d').argParser(momentAfter).conflicts('until'))
          .option('--until <time>', 'such as 2027-01-31T09:00:00Z', isoMoment)
          .option('--no-wake', 'stay snoozed when the customer writes'),
      inputOf: (given): UpdateConversation => ({
        status: 'snoozed',
        snoozedUntil: given.until ?? given.for ?? null,
        wakeOnReply: given.wake,
      }),
      done: 'Snoozed the conversation.',
    }),
    actionCommand({
      operation: conversations.update,
      name: 'close',
      description: 'Close a conversation.',
      columnsForPeople,
      fields: 'none',
      inputOf: (): UpdateConversation => ({ status: 'closed' }),
      done: 'Closed the conversation.',
    }),
    actionCommand({
      operation: conversations.update,
      name: 'reopen',
      description: 'Open a conversation again.',
      columnsForPeople,
      fields: 'none',
      inputOf: (): UpdateConversation => ({ status: 'open' }),
      done: 'Reopened the conversation.',
    }),
    readConversation,
    unreadConversation,
    showPresence,
    listRecipients,
    deleteCommand({
      operation: conversations.delete,
      summary: 'Erase a conversation and its messages',
      description: 'Erase a conversation and its messages. This cannot be undone.',
      examples: ['crm conversations delete con_01J8ZQ4W7N --reason spam --yes'],
      question: (shown) => `Erase ${shown} and its messages?`,
      read: conversations.get,
      nameOf: ({ subject }) => subject,
    }),
  ],
})

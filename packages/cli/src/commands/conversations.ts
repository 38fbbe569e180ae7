import { Option } from '@commander-js/extra-typings'
import type { Conversation, DraftsListOwnQuery, UpdateConversation } from '@crmkit/sdk'
import { conversations } from '../operations/conversations.gen.ts'
import { drafts } from '../operations/drafts.gen.ts'
import { messages } from '../operations/messages.gen.ts'
import { defineBulk } from './conversations/bulk.ts'
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
  defineSendDraft,
  draftColumns,
  ownDraftColumns,
} from './conversations/drafts.ts'
import { findAssignee } from './conversations/find-assignee.ts'
import { messageColumns } from './conversations/message-columns.ts'
import { showPresence } from './conversations/presence.ts'
import { printThread } from './conversations/print-thread.ts'
import { readNames } from './conversations/read-names.ts'
import { readConversation, unreadConversation } from './conversations/read-state.ts'
import { listRecipients } from './conversations/recipients.ts'
import { defineNote, defineReply } from './conversations/reply.ts'
import { listTimeline } from './conversations/timeline.ts'
import { type Call, withColumns } from './factories/add-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { actionCommand, updateCommand } from './factories/update-command.ts'
import { isoMoment, momentAfter } from './option-values.ts'

const columnsForPeople = async ({ crm }: Call, rows: readonly Conversation[]) =>
  namedColumns(await readNames(crm, rows))

const ofConversation = ['<id>', 'the id of the conversation'] as const

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
      only: ['subject', 'priority', 'channel', 'labels', 'inboxId', 'customerId'],
      fields: {
        labels: 'all labels, comma separated',
        inboxId: { flag: 'inbox', text: 'move it to this inbox' },
        customerId: { flag: 'customer' },
      },
      clear: ['customer', 'labels'],
    }),
    withColumns(
      messageColumns,
      listCommand({
        operation: messages.list,
        name: 'messages',
        summary: 'Read the messages of a conversation',
        description: 'Read the messages of a conversation, oldest first; a terminal shows them as a thread.',
        examples: [
          'crm conversations messages con_01J8ZQ4W7N --order desc --limit 5',
          'crm conversations messages con_01J8ZQ4W7N --all --json sender.name,content',
        ],
        argument: ofConversation,
        rowName: 'message',
        forPeople: printThread,
        fields: { order: 'default: asc' },
      }),
    ),
    listTimeline,
    defineReply,
    defineNote,
    defineDraft,
    withColumns(
      draftColumns,
      listCommand({
        operation: drafts.list,
        name: 'drafts',
        summary: 'List the drafts of all authors in a conversation',
        examples: ['crm conversations drafts con_01J8ZQ4W7N'],
        argument: ofConversation,
        rowName: 'draft',
      }),
    ),
    withColumns(
      ownDraftColumns,
      listCommand({
        operation: drafts.listOwn,
        name: 'own-drafts',
        summary: 'List your drafts that were not sent',
        description: 'List your drafts that were to be sent and were not, the last changed first.',
        examples: ['crm conversations own-drafts', 'crm conversations own-drafts --planned --all'],
        rowName: 'draft',
        fields: { state: false },
        options: (command) => command.option('--planned', 'list drafts that the service is still to send'),
        filterOf: ({ planned }): DraftsListOwnQuery => ({ state: planned ? 'planned' : 'unsent' }),
      }),
    ),
    defineSendDraft,
    defineDeleteDraft,
    actionCommand({
      operation: conversations.update,
      name: 'assign',
      description: 'Assign a conversation to a user, or remove its assignee.',
      examples: [
        'crm conversations assign con_01J8ZQ4W7N me',
        'crm conversations assign con_01J8ZQ4W7N none',
      ],
      columnsForPeople,
      only: ['assignedTo'],
      fields: { assignedTo: { flag: 'user', argument: 'an id, an e-mail, me or none' } },
      send: async ({ crm, credential, id, input }) => {
        const assignedTo = await findAssignee({ crm, credential }, input.assignedTo ?? 'none')
        return crm.conversations.update(id, { assignedTo })
      },
      done: ({ assignedTo }) =>
        assignedTo === null ? 'Removed the assignee.' : 'Assigned the conversation.',
    }),
    actionCommand({
      operation: conversations.addLabels,
      name: 'label',
      examples: ['crm conversations label con_01J8ZQ4W7N refund vip'],
      columnsForPeople,
      fields: { labels: { argument: 'one or more labels' } },
      done: 'Changed the labels.',
    }),
    actionCommand({
      operation: conversations.removeLabels,
      name: 'unlabel',
      examples: ['crm conversations unlabel con_01J8ZQ4W7N refund'],
      columnsForPeople,
      fields: { labels: { argument: 'one or more labels' } },
      done: 'Changed the labels.',
    }),
    actionCommand({
      operation: conversations.merge,
      summary: 'Merge another conversation of the same customer',
      description:
        'Merge another conversation into this one. It is closed, and its messages are shown here. `unmerge` takes it back.',
      examples: ['crm conversations merge con_01J8ZQ4W7N --source con_01J8ZQ4W8P'],
      columnsForPeople,
      fields: {
        sourceId: { flag: 'source', text: 'the id of the conversation that becomes part of this one' },
      },
      done: 'Merged the conversations.',
    }),
    actionCommand({
      operation: conversations.unmerge,
      summary: 'Take back the merge of a conversation',
      description: 'Take back the merge of a conversation into another one. Later messages stay there.',
      examples: ['crm conversations unmerge con_01J8ZQ4W7N'],
      columnsForPeople,
      done: 'Took the merge back.',
    }),
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
      only: [],
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
      only: [],
      inputOf: (): UpdateConversation => ({ status: 'closed' }),
      done: 'Closed the conversation.',
    }),
    actionCommand({
      operation: conversations.update,
      name: 'reopen',
      description: 'Open a conversation again.',
      columnsForPeople,
      only: [],
      inputOf: (): UpdateConversation => ({ status: 'open' }),
      done: 'Reopened the conversation.',
    }),
    defineBulk,
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

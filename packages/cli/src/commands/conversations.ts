import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { Conversation, UpdateConversation } from '@crmkit/sdk'
import { clearedFields, clearOption } from './clear-option.ts'
import { defineAssignConversation } from './conversations/assign.ts'
import {
  conversationColumns as columns,
  namedColumns,
  populatedColumns,
} from './conversations/conversation-columns.ts'
import { channelOption, priorityOption, statuses } from './conversations/conversation-values.ts'
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
import type { Call } from './factories/add-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { actionCommand, updateCommand } from './factories/update-command.ts'
import { addToList, isoMoment, listing, momentAfter } from './option-values.ts'

const columnsForPeople = async ({ crm }: Call, rows: readonly Conversation[]) =>
  namedColumns(await readNames(crm, rows))

type Status = (typeof statuses)[number]
const sorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'priority'] as const

function addStatus(text: string, previous: Status[] | undefined): Status[] {
  const names = addToList(text, previous)
  const known = names.filter((name): name is Status => statuses.some((status) => status === name))
  if (known.length === names.length) return known
  throw new InvalidArgumentError(`Allowed values: ${statuses.join(', ')}.`)
}

const listConversations = listCommand({
  description: 'List conversations, the last changed first.',
  examples: [
    'crm conversations list --status open,pending --assigned-to none',
    'crm conversations list --search refund --json _id,subject,updatedAt',
  ],
  columns,
  columnsForPeople,
  options: (command) =>
    command
      .addOption(
        listing(
          new Option('--status <list>', `comma separated: ${statuses.join(', ')}`).argParser(addStatus),
          statuses,
        ),
      )
      .addOption(priorityOption('conversations of this priority'))
      .addOption(channelOption('conversations of this channel'))
      .option('--assigned-to <user>', 'an id, an e-mail, me or none')
      .option('--inbox <id>', 'conversations of this inbox')
      .option('--customer <id>', 'conversations of this customer')
      .option('--label <label>', 'conversations with this label')
      .option('--search <terms>', 'every term occurs in the subject or a message')
      .option('--updated-since <time>', 'changed since, such as 2026-11-01', isoMoment)
      .addOption(new Option('--sort <order>', 'order; a leading - reverses it').choices(sorts)),
  filterOf: async ({ inbox, customer, assignedTo, ...filter }, call) => ({
    ...filter,
    inboxId: inbox,
    customerId: customer,
    assignedTo: assignedTo === undefined ? undefined : ((await findAssignee(call, assignedTo)) ?? 'none'),
  }),
  fetchPage: ({ crm, filter }, query) => crm.conversations.list({ ...filter, ...query }),
})

const getConversation = getCommand({
  description: 'Show a conversation. For its messages, use "crm conversations messages ID".',
  examples: ['crm conversations get con_01J8ZQ4W7N', 'crm conversations get con_01J8ZQ4W7N --json status'],
  columns: populatedColumns,
  fetch: ({ crm, id }) => crm.conversations.get(id),
})

const updateConversation = updateCommand({
  summary: 'Change subject, priority, channel, labels, inbox or customer',
  description:
    'Change a conversation. Fields that you do not name stay as they are. Status, assignee and single labels have their own commands.',
  examples: ['crm conversations update con_01J8ZQ4W7N --priority urgent'],
  columns,
  columnsForPeople,
  options: (command) =>
    command
      .option('--subject <text>', 'subject')
      .addOption(priorityOption('priority'))
      .addOption(channelOption('channel'))
      .option('--labels <list>', 'all labels, comma separated', addToList)
      .option('--inbox <id>', 'move it to this inbox')
      .option('--customer <id>', 'the customer of the conversation')
      .addOption(clearOption(['customer', 'labels'])),
  inputOf: ({ inbox, customer, clear, ...fields }): UpdateConversation => {
    const { customer: noCustomer, ...cleared } = clearedFields(clear)
    return { ...fields, ...cleared, inboxId: inbox, customerId: noCustomer === null ? null : customer }
  },
  send: ({ crm, id, input }) => crm.conversations.update(id, input),
  done: 'Changed the conversation.',
})

const snoozeConversation = actionCommand({
  name: 'snooze',
  summary: 'Snooze a conversation for a time',
  description:
    'Snooze a conversation for a time. Without --for and --until, it stays snoozed until the customer writes.',
  examples: ['crm conversations snooze con_01J8ZQ4W7N --for 4h', 'crm conversations snooze con_01J8ZQ4W7N'],
  columns,
  columnsForPeople,
  options: (command) =>
    command
      .addOption(new Option('--for <time>', 'such as 4h or 2d').argParser(momentAfter).conflicts('until'))
      .option('--until <time>', 'such as 2027-01-31T09:00:00Z', isoMoment)
      .option('--no-wake', 'stay snoozed when the customer writes'),
  send: ({ crm, id, input }) =>
    crm.conversations.update(id, {
      status: 'snoozed',
      snoozedUntil: input.until ?? input.for ?? null,
      wakeOnReply: input.wake,
    }),
  done: 'Snoozed the conversation.',
})

const closeConversation = actionCommand({
  name: 'close',
  description: 'Close a conversation.',
  examples: ['crm conversations close con_01J8ZQ4W7N'],
  columns,
  columnsForPeople,
  send: ({ crm, id }) => crm.conversations.update(id, { status: 'closed' }),
  done: 'Closed the conversation.',
})

const reopenConversation = actionCommand({
  name: 'reopen',
  description: 'Open a conversation again.',
  examples: ['crm conversations reopen con_01J8ZQ4W7N'],
  columns,
  columnsForPeople,
  send: ({ crm, id }) => crm.conversations.update(id, { status: 'open' }),
  done: 'Reopened the conversation.',
})

const deleteConversation = deleteCommand({
  summary: 'Erase a conversation and its messages',
  description: 'Erase a conversation and its messages. This cannot be undone.',
  examples: ['crm conversations delete con_01J8ZQ4W7N --reason spam --yes'],
  options: (command) => command.option('--reason <text>', 'the reason in the audit log'),
  question: (shown) => `Erase ${shown} and its messages?`,
  nameOf: ({ crm, id }) => crm.conversations.get(id).then(({ subject }) => subject),
  send: ({ crm, id, options }) => crm.conversations.delete(id, { reason: options.reason }),
})

export const defineConversations = defineNoun({
  name: 'conversation',
  examples: ['crm conversations list --status open --assigned-to none'],
  commands: [
    listConversations,
    countConversations,
    getConversation,
    defineCreateConversation,
    updateConversation,
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
    snoozeConversation,
    closeConversation,
    reopenConversation,
    readConversation,
    unreadConversation,
    showPresence,
    listRecipients,
    deleteConversation,
  ],
})

import { Option } from '@commander-js/extra-typings'
import type { InboundMail } from '@crmkit/sdk'
import type { Column } from '../output/column.ts'
import { defineNoun } from './factories/define-noun.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { actionCommand } from './factories/update-command.ts'
import { defineRawMail } from './mails/raw.ts'

const statuses = ['received', 'processed', 'parked', 'ignored'] as const

const columns: readonly Column<InboundMail>[] = [
  { title: 'Id', value: (mail) => mail._id },
  { title: 'Status', value: (mail) => mail.status },
  { title: 'Reason', value: (mail) => mail.reason, isOptional: true },
  { title: 'From', value: (mail) => mail.from, isFlexible: true },
  { title: 'Subject', value: (mail) => mail.subject, isFlexible: true },
  { title: 'Error', value: (mail) => mail.error, isDetail: true },
  { title: 'Inbox', value: (mail) => mail.inboxId, isDetail: true },
  { title: 'Recipients', value: ({ envelope }) => envelope.to, isDetail: true },
  { title: 'Conversation', value: (mail) => mail.conversationId, isDetail: true },
  { title: 'Message', value: (mail) => mail.messageId, isDetail: true },
  { title: 'Message-ID', value: (mail) => mail.rfcMessageId, isDetail: true },
  { title: 'Bytes', value: (mail) => mail.sizeBytes },
  { title: 'Received', value: (mail) => mail.receivedAt, isTime: true },
]

const listMails = listCommand({
  description: 'List the mails that arrived, newest first.',
  examples: ['crm mails list --status parked', 'crm mails list --inbox-id inb_01J8ZQ4W7N'],
  need: 'session',
  columns,
  options: (command) =>
    command
      .addOption(new Option('--status <status>', 'mails in this state').choices(statuses))
      .option('--inbox-id <id>', 'mails of this inbox'),
  fetchPage: ({ crm, filter }, query) => crm.mails.list({ ...filter, ...query }),
})

const getMail = getCommand({
  description: 'Show a mail that arrived: its state, and why it is parked or ignored.',
  examples: ['crm mails get mail_01J8ZQ4W7N'],
  need: 'session',
  columns,
  fetch: ({ crm, id }) => crm.mails.get(id),
})

const retryMail = actionCommand({
  name: 'retry',
  summary: 'Process a parked mail again, or one of a sender who was blocked',
  description:
    'Process a parked mail again, after its cause was removed, or a mail that was ignored while its sender was blocked.',
  examples: ['crm mails retry mail_01J8ZQ4W7N'],
  need: 'session',
  columns,
  send: ({ crm, id }) => crm.mails.processAgain(id),
  done: 'The mail is processed again.',
})

export const defineMails = defineNoun({
  name: 'mail',
  examples: ['crm mails list --status parked', 'crm mails get mail_01J8ZQ4W7N'],
  commands: [listMails, getMail, defineRawMail, retryMail],
})

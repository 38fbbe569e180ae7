import type { InboundMail } from '@crmkit/sdk'
import { mails } from '../operations/mails.gen.ts'
import type { Column } from '../output/column.ts'
import { defineNoun } from './factories/define-noun.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { actionCommand } from './factories/update-command.ts'
import { defineMakeConversation } from './mails/make-conversation.ts'
import { defineRawMail } from './mails/raw.ts'

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

export const defineMails = defineNoun({
  name: 'mail',
  prefix: 'mail',
  columns,
  examples: ['crm mails list --status parked', 'crm mails get mail_01J8ZQ4W7N'],
  commands: [
    listCommand({
      operation: mails.list,
      examples: [
        'crm mails list --status parked',
        'crm mails list --needs-you',
        'crm mails list --inbox-id inb_01J8ZQ4W7N',
      ],
    }),
    getCommand({
      operation: mails.get,
      description: 'Show a mail that arrived: its state, and why it is parked or ignored.',
    }),
    defineRawMail,
    actionCommand({
      operation: mails.processAgain,
      name: 'retry',
      summary: 'Process a parked mail again, or one of a sender who was blocked',
      description:
        'Process a parked mail again, after its cause was removed, or a mail that was ignored while its sender was blocked.',
      done: 'The mail is processed again.',
    }),
    defineMakeConversation,
    actionCommand({
      operation: mails.discard,
      name: 'discard',
      summary: 'Discard a mail that needs a person',
      description: 'Discard a mail that needs a person. It stays in the list, and can be processed again.',
      done: 'The mail is discarded.',
    }),
  ],
})

import type { ReadState } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'
import { actionCommand } from '../factories/update-command.ts'
import { wholeNumber } from '../option-values.ts'

type Row = ReadState & { readonly _id: string }

const columns: readonly Column<Row>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Unread', value: ({ unread }) => unread.count },
  { title: 'First unread', value: ({ unread }) => unread.firstMessageId, isDetail: true },
  { title: 'Read up to', value: (row) => row.seq },
]

const rowOf = (state: ReadState): Row => ({ _id: state.conversationId, ...state })

export const readConversation = actionCommand({
  name: 'read',
  summary: 'Mark a conversation as read by you',
  description: 'Mark a conversation as read by you. Only you see it; customers and colleagues do not.',
  examples: ['crm conversations read con_01J8ZQ4W7N'],
  need: 'session',
  columns,
  options: (command) =>
    command.option('--seq <number>', 'read up to this "seq"; default: everything', wholeNumber),
  send: ({ crm, id, input }) => crm.conversations.read(id, { seq: input.seq }).then(rowOf),
  done: 'Marked as read.',
})

export const unreadConversation = actionCommand({
  name: 'unread',
  summary: 'Mark a conversation as unread by you',
  description:
    'Mark a conversation as unread by you, from its newest message by somebody else, or from the one that you name.',
  examples: ['crm conversations unread con_01J8ZQ4W7N'],
  need: 'session',
  columns,
  options: (command) => command.option('--message <id>', 'the oldest unread message'),
  send: ({ crm, id, input }) => crm.conversations.unread(id, { messageId: input.message }).then(rowOf),
  done: 'Marked as unread.',
})

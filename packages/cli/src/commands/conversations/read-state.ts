import type { ReadState } from '@crmkit/sdk'
import { conversations } from '../../operations/conversations.gen.ts'
import type { Column } from '../../output/column.ts'
import type { Output } from '../../output/output.ts'
import { printRecord } from '../../output/print-record.ts'
import { resultCommand } from '../factories/result-command.ts'

type Row = ReadState & { readonly _id: string }

const columns: readonly Column<Row>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Unread', value: ({ unread }) => unread.count },
  { title: 'First unread', value: ({ unread }) => unread.firstMessageId, isDetail: true },
  { title: 'Read up to', value: (row) => row.seq },
]

const printState = (done: string) => (output: Output, state: ReadState) => {
  const row = { _id: state.conversationId, ...state }
  output.say(done)
  printRecord(output, { row, columns, quiet: row._id })
}

export const readConversation = resultCommand({
  operation: conversations.read,
  summary: 'Mark a conversation as read by you',
  description: 'Mark a conversation as read by you. Only you see it; customers and colleagues do not.',
  fields: { seq: 'read up to this "seq"; default: everything' },
  print: printState('Marked as read.'),
})

export const unreadConversation = resultCommand({
  operation: conversations.unread,
  summary: 'Mark a conversation as unread by you',
  description:
    'Mark a conversation as unread by you, from its newest message by somebody else, or from the one that you name.',
  fields: { messageId: { flag: 'message', text: 'the oldest unread message' } },
  print: printState('Marked as unread.'),
})

import type { ReadState } from '@crmkit/sdk'
import { conversations } from '../../operations/conversations.gen.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Column } from '../../output/column.ts'
import { withColumns } from '../factories/add-command.ts'
import { actionCommand } from '../factories/update-command.ts'

type Row = ReadState & { readonly _id: string }

const columns: readonly Column<Row>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Unread', value: ({ unread }) => unread.count },
  { title: 'First unread', value: ({ unread }) => unread.firstMessageId, isDetail: true },
  { title: 'Read up to', value: (row) => row.seq },
]

/** The reply of these operations has the id of its conversation instead of one of its own. */
function withId<Input>(operation: Operation<Input, ReadState>): Operation<Input, Row> {
  return {
    ...operation,
    send: async (...call) => {
      const state = await operation.send(...call)
      return { _id: state.conversationId, ...state }
    },
  }
}

export const readConversation = withColumns(
  columns,
  actionCommand({
    operation: withId(conversations.read),
    summary: 'Mark a conversation as read by you',
    description: 'Mark a conversation as read by you. Only you see it; customers and colleagues do not.',
    fields: { seq: 'read up to this "seq"; default: everything' },
    done: 'Marked as read.',
  }),
)

export const unreadConversation = withColumns(
  columns,
  actionCommand({
    operation: withId(conversations.unread),
    summary: 'Mark a conversation as unread by you',
    description:
      'Mark a conversation as unread by you, from its newest message by somebody else, or from the one that you name.',
    fields: { messageId: { flag: 'message', text: 'the oldest unread message' } },
    done: 'Marked as unread.',
  }),
)

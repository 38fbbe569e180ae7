import type { ConversationCounts, ViewCount } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'
import type { Call } from '../factories/add-command.ts'
import { figuresCommand } from '../factories/figures-command.ts'
import { addToList } from '../option-values.ts'

type Row = ViewCount & { readonly view: string }

const columns: readonly Column<Row>[] = [
  { title: 'View', value: ({ view }) => view, isFlexible: true },
  { title: 'Conversations', value: ({ total, isEstimate }) => (isEstimate ? `about ${total}` : total) },
  { title: 'Unread', value: ({ unread }) => unread },
]

/** `crm conversations counts`: how many conversations each view has. */
export const countConversations = figuresCommand({
  name: 'counts',
  description:
    'Show how many conversations each view and each inbox has, and how many of them you have not read.',
  examples: ['crm conversations counts', 'crm conversations counts --view mine,unassigned'],
  need: 'session',
  options: (command) =>
    command.option('--view <list>', 'only these: mine, unassigned, a status, ids of inboxes', addToList),
  fetch: ({ crm }: Call, { view }) => crm.conversations.counts({ view }),
  rowsOf: ({ views }: ConversationCounts): Row[] =>
    Object.entries(views).map(([view, count]) => ({ view, ...count })),
  columns,
  barOf: ({ total }) => total,
  quiet: ({ view }) => view,
})

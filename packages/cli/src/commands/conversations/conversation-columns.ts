import type { Conversation, PopulatedConversation } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'

export const conversationColumns: readonly Column<Conversation>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Subject', value: (row) => row.subject, isFlexible: true },
  { title: 'Status', value: (row) => row.status },
  { title: 'Priority', value: (row) => row.priority },
  { title: 'Channel', value: (row) => row.channel, isOptional: true },
  { title: 'Assigned to', value: (row) => row.assignedTo, isFlexible: true, isOptional: true },
  { title: 'Labels', value: (row) => row.labels, isFlexible: true, isOptional: true },
  { title: 'Customer', value: (row) => row.customerId, isDetail: true },
  { title: 'Inbox', value: (row) => row.inboxId, isDetail: true },
  { title: 'Snoozed until', value: (row) => row.snoozedUntil, isTime: true, isDetail: true },
  { title: 'Messages', value: (row) => row.messageCount, isOptional: true },
  { title: 'Updated', value: (row) => row.updatedAt, isTime: true },
]

/** The same columns for `get`, where customer and assignee are objects. */
export const populatedColumns: readonly Column<PopulatedConversation>[] = conversationColumns.map(
  ({ title, value, textForPeople: _, ...column }) => ({
    ...column,
    title,
    value: (row) => populated[title]?.(row) ?? value(plain(row)),
  }),
)

const populated: Readonly<Record<string, (row: PopulatedConversation) => string | undefined>> = {
  'Assigned to': ({ assignedTo }) => assignedTo?.email,
  Customer: ({ customerId }) =>
    customerId === null ? undefined : `${nameOf(customerId.profile)} (${customerId._id})`,
}

function plain(row: PopulatedConversation): Conversation {
  return { ...row, assignedTo: row.assignedTo?._id ?? null, customerId: row.customerId?._id ?? null }
}

function nameOf({ firstName, lastName }: { firstName: string | null; lastName: string | null }): string {
  return [firstName, lastName].filter(Boolean).join(' ') || 'without a name'
}

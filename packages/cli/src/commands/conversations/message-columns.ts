import type { Message } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'

export const messageColumns: readonly Column<Message>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'When', value: (row) => row.createdAt, isTime: true },
  { title: 'From', value: senderOf, isFlexible: true },
  { title: 'Type', value: (row) => row.type },
  { title: 'Direction', value: (row) => row.direction },
  { title: 'Status', value: (row) => row.status },
  { title: 'Via', value: (row) => row.via, isOptional: true },
  { title: 'Content', value: (row) => row.content, isFlexible: true },
  {
    title: 'Choices',
    value: ({ choices }) => choices.map(({ label }) => label).join(', ') || null,
    isOptional: true,
  },
]

export function senderOf({ sender }: Message): string {
  return sender.name || sender._id || sender.type
}

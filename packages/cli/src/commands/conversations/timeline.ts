import type { Activity, TimelineEntry } from '@crmkit/sdk'
import { conversations } from '../../operations/conversations.gen.ts'
import type { Column } from '../../output/column.ts'
import { withColumns } from '../factories/add-command.ts'
import { listCommand } from '../factories/list-command.ts'
import { senderOf } from './message-columns.ts'

const columns: readonly Column<TimelineEntry>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'At', value: (row) => row.at, isTime: true },
  { title: 'By', value: ({ message, activity }) => (message ? senderOf(message) : actorOf(activity)) },
  { title: 'Kind', value: ({ message, activity }) => activity?.action ?? message?.type ?? '' },
  { title: 'What', value: whatOf, isFlexible: true },
]

function actorOf(activity: Activity | null): string {
  if (activity === null) return ''
  const { name, _id, type } = activity.actor
  return name ?? _id ?? type
}

/** The text of a message, or each change as its field with both values. */
function whatOf({ message, activity }: TimelineEntry): string {
  if (message) return message.content
  const changes = Object.entries(activity?.changes ?? {})
  return changes.map(([field, { from, to }]) => `${field}: ${shown(from)} → ${shown(to)}`).join('; ')
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.join(', ')
  return String(value)
}

export const listTimeline = withColumns(
  columns,
  listCommand({
    operation: conversations.timeline,
    name: 'timeline',
    summary: 'Read the messages and the changes of a conversation together',
    description: 'Read the messages and the changes of a conversation together, newest first.',
    examples: [
      'crm conversations timeline con_01J8ZQ4W7N',
      'crm conversations timeline con_01J8ZQ4W7N --order asc --all --json at,activity.action',
    ],
    argument: ['<id>', 'the id of the conversation'],
    rowName: 'entry',
    fields: { order: 'default: desc' },
  }),
)

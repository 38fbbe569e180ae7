import type { Call } from '@crmkit/sdk'
import { calls } from '../operations/calls.gen.ts'
import type { Column } from '../output/column.ts'
import { makeCallToken } from './calls/token.ts'
import { createCommand } from './factories/create-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { actionCommand } from './factories/update-command.ts'

const columns: readonly Column<Call>[] = [
  { title: 'Id', value: (call) => call._id },
  { title: 'Direction', value: (call) => call.direction },
  { title: 'From', value: (call) => call.from, isFlexible: true },
  { title: 'To', value: (call) => call.to, isFlexible: true },
  { title: 'Status', value: (call) => call.status },
  { title: 'Failure', value: (call) => call.failureReason, isDetail: true },
  { title: 'Customer', value: (call) => call.customerId, isOptional: true },
  { title: 'Conversation', value: (call) => call.conversationId, isDetail: true },
  { title: 'Agent', value: (call) => call.agentId, isDetail: true },
  { title: 'Seconds', value: (call) => call.durationSeconds, isOptional: true },
  { title: 'Recording', value: ({ recording }) => recording.url, isDetail: true },
  { title: 'Notes', value: ({ metadata }) => metadata.notes, isDetail: true },
  { title: 'Tags', value: ({ metadata }) => metadata.tags, isDetail: true },
  { title: 'Rating', value: ({ metadata }) => metadata.rating, isOptional: true },
  { title: 'Created', value: (call) => call.createdAt, isTime: true },
]

export const defineCalls = defineNoun({
  name: 'call',
  prefix: 'cal',
  columns,
  examples: ['crm calls list', 'crm calls get cal_01J8ZQ4W7N'],
  commands: [
    listCommand({
      operation: calls.list,
      examples: ['crm calls list --status failed', 'crm calls list --customer-id cus_01J8ZQ4W7N'],
    }),
    getCommand({
      operation: calls.get,
      description: 'Show a call with its remarks and its recording.',
    }),
    createCommand({
      operation: calls.create,
      summary: 'Record a call',
      description: 'Record a call that a person makes or takes. The command does not dial.',
      examples: ['crm calls create --to +15551234567 --customer-id cus_01J8ZQ4W7N'],
      done: 'Recorded the call.',
    }),
    actionCommand({
      operation: calls.updateMetadata,
      name: 'note',
      summary: 'Change notes, tags and rating of a call',
      description: 'Change notes, tags and rating of a call. Fields that you do not name stay as they are.',
      examples: [
        'crm calls note cal_01J8ZQ4W7N --notes "Asked for an invoice" --tags billing --rating 5',
        'crm calls note cal_01J8ZQ4W7N --clear rating',
      ],
      fields: { tags: 'all tags, comma separated' },
      clear: ['notes', 'tags', 'rating'],
    }),
    makeCallToken,
  ],
})

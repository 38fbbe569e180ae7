import { Option } from '@commander-js/extra-typings'
import type { Call, CallMetadata } from '@crmkit/sdk'
import type { Column } from '../output/column.ts'
import { makeCallToken } from './calls/token.ts'
import { clearedFields, clearOption } from './clear-option.ts'
import { createCommand } from './factories/create-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { actionCommand } from './factories/update-command.ts'
import { addToList, wholeNumber } from './option-values.ts'

const statuses = ['initiated', 'ringing', 'answered', 'completed', 'failed'] as const
const directions = ['inbound', 'outbound'] as const

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

const listCalls = listCommand({
  description: 'List calls, newest first.',
  examples: ['crm calls list --status failed', 'crm calls list --customer-id cus_01J8ZQ4W7N'],
  need: 'session',
  columns,
  options: (command) =>
    command
      .addOption(new Option('--status <status>', 'calls in this state').choices(statuses))
      .option('--customer-id <id>', 'calls with this customer')
      .option('--conversation-id <id>', 'calls of this conversation')
      .option('--agent-id <id>', 'calls of this user'),
  fetchPage: ({ crm, filter }, query) => crm.calls.list({ ...filter, ...query }),
})

const getCall = getCommand({
  description: 'Show a call with its remarks and its recording.',
  examples: ['crm calls get cal_01J8ZQ4W7N'],
  need: 'session',
  columns,
  fetch: ({ crm, id }) => crm.calls.get(id),
})

const createCall = createCommand({
  summary: 'Record a call',
  description: 'Record a call that a person makes or takes. The command does not dial.',
  examples: ['crm calls create --to +15551234567 --customer-id cus_01J8ZQ4W7N'],
  need: 'session',
  columns,
  options: (command) =>
    command
      .option('--to <number>', 'number that is called, such as +15551234567')
      .option('--from <number>', 'number of the caller')
      .addOption(new Option('--direction <direction>', 'direction, seen from the team').choices(directions))
      .option('--customer-id <id>', 'customer of the call')
      .option('--conversation-id <id>', 'conversation of the call')
      .option('--agent-id <id>', 'user of the call; default: yourself'),
  ask: { to: 'Number that is called' },
  send: ({ crm, input }) => crm.calls.create(input),
  done: 'Recorded the call.',
})

const clearable = ['notes', 'tags', 'rating']

const noteCall = actionCommand({
  name: 'note',
  summary: 'Change notes, tags and rating of a call',
  description: 'Change notes, tags and rating of a call. Fields that you do not name stay as they are.',
  examples: [
    'crm calls note cal_01J8ZQ4W7N --notes "Asked for an invoice" --tags billing --rating 5',
    'crm calls note cal_01J8ZQ4W7N --clear rating',
  ],
  need: 'session',
  columns,
  options: (command) =>
    command
      .option('--notes <text>', 'notes of the team')
      .option('--tags <list>', 'all tags, comma separated', addToList)
      .option('--rating <number>', 'rating, 1 to 5', wholeNumber)
      .addOption(clearOption(clearable)),
  inputOf: ({ clear, ...fields }): CallMetadata => ({ ...fields, ...clearedFields(clear) }),
  send: ({ crm, id, input }) => crm.calls.updateMetadata(id, input),
  done: 'Changed the call.',
})

export const defineCalls = defineNoun({
  name: 'call',
  examples: ['crm calls list', 'crm calls get cal_01J8ZQ4W7N'],
  commands: [listCalls, getCall, createCall, noteCall, makeCallToken],
})

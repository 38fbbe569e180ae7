import type { PrivacyRequest } from '@crmkit/sdk'
import { privacyRequests } from '../../operations/privacy-requests.gen.ts'
import type { Column } from '../../output/column.ts'
import type { NounCommand } from '../factories/add-command.ts'
import { defineNoun } from '../factories/define-noun.ts'
import { listCommand } from '../factories/list-command.ts'
import { actionCommand } from '../factories/update-command.ts'

const columns: readonly Column<PrivacyRequest>[] = [
  { title: 'Id', value: (request) => request._id },
  { title: 'Type', value: (request) => request.type },
  { title: 'Status', value: (request) => request.status },
  { title: 'User', value: (request) => request.userId, isFlexible: true },
  { title: 'Due', value: (request) => request.dueAt },
  { title: 'Overdue', value: (request) => request.isOverdue },
  { title: 'Reason', value: (request) => request.reason, isFlexible: true, isOptional: true },
  { title: 'Details', value: (request) => request.details, isDetail: true },
  { title: 'Field', value: (request) => request.field, isDetail: true },
  { title: 'Current value', value: (request) => request.currentValue, isDetail: true },
  { title: 'Requested value', value: (request) => request.requestedValue, isDetail: true },
  { title: 'Notes', value: (request) => request.notes, isDetail: true },
  { title: 'Rejected because', value: (request) => request.rejectionReason, isDetail: true },
  { title: 'Created', value: (request) => request.createdAt, isTime: true, isOptional: true },
]

const defineRequests = defineNoun({
  name: 'request',
  prefix: 'prq',
  columns,
  examples: ['crm privacy requests list', 'crm privacy requests approve prq_01J8ZQ4W7N --yes'],
  commands: [
    listCommand({
      operation: privacyRequests.list,
      description:
        'List the requests of users about their own data: open ones first, and of these the overdue ones.',
      examples: ['crm privacy requests list', 'crm privacy requests list --status pending --type deletion'],
    }),
    actionCommand({
      operation: privacyRequests.approve,
      summary: 'Approve a pending request',
      description:
        'Approve a pending request. An approved deletion begins immediately and cannot be undone; an approved restriction holds until you complete it.',
      examples: ['crm privacy requests approve prq_01J8ZQ4W7N --notes "Checked" --yes'],
      confirm: {
        question: (id) => `Approve ${id}? The approval of a deletion cannot be undone.`,
        refusal: 'Nothing was approved.',
      },
      done: 'Approved the request.',
    }),
    actionCommand({
      operation: privacyRequests.reject,
      description: 'Reject a request, with a reason for the person.',
      examples: ['crm privacy requests reject prq_01J8ZQ4W7N --reason "Invoices are kept for ten years"'],
      fields: { rejectionReason: { flag: 'reason' } },
      done: 'Rejected the request.',
    }),
    actionCommand({
      operation: privacyRequests.complete,
      summary: 'Complete a request that was approved',
      description:
        'Complete a request that was approved. Completing a restriction lifts it. A deletion is completed by the server.',
      examples: ['crm privacy requests complete prq_01J8ZQ4W7N --notes "Sent by mail"'],
      done: 'Completed the request.',
    }),
  ],
})

/** `crm privacy requests`: the requests of all users, for the admins of the tenant. */
export const defineDecisions: NounCommand = (privacy) => {
  defineRequests(
    privacy
      .command('requests')
      .summary('Decide on the requests of the users of the tenant')
      .description('Decide on the requests of the users of the tenant. Needs a signed-in admin.')
      .helpCommand(false),
  )
}

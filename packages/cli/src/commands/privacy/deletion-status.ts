import type { DeletionRequest } from '@crmkit/sdk'
import { privacy } from '../../operations/privacy.gen.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { printJson } from '../../output/print-json.ts'
import { printRecord } from '../../output/print-record.ts'
import { resultCommand } from '../factories/result-command.ts'

export const deletionColumns: readonly Column<DeletionRequest>[] = [
  { title: 'Id', value: (request) => request.id },
  { title: 'Status', value: (request) => request.status },
  { title: 'Requested', value: (request) => request.requestedAt, isTime: true },
  { title: 'Due', value: (request) => request.dueAt },
  { title: 'Processed', value: (request) => request.processedAt, isTime: true },
  { title: 'Reason', value: (request) => request.reason, isFlexible: true },
  { title: 'Rejected because', value: (request) => request.rejectionReason, isDetail: true },
  { title: 'Notes', value: (request) => request.notes, isDetail: true },
]

export const deletionStatus = resultCommand({
  operation: privacy.deletionStatus,
  name: 'status',
  description: 'Show your latest deletion request.',
  examples: ['crm privacy status', 'crm privacy status --json hasRequest'],
  hasId: false,
  print: (output, { hasRequest, request }) => {
    if (output.json) printJson(output, { hasRequest, ...(request && { request }) })
    else if (request === undefined) output.say('You have made no deletion request.')
    else printRecord(output, { row: request, columns: deletionColumns, quiet: request.id })
  },
})

export const cancelDeletion = resultCommand({
  operation: privacy.cancelDeletion,
  name: 'cancel',
  description: 'Cancel your deletion request, as long as it is pending.',
  hasId: false,
  print: (output, { message }) => {
    output.say(cleanLine(`${message}.`))
    if (output.json) printJson(output, { cancelled: true })
  },
})

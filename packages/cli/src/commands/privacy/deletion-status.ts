import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { DeletionRequest } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { printJson } from '../../output/print-json.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { addCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'

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

export function defineDeletionStatus(privacy: CommandUnknownOpts): void {
  addCommand(privacy, {
    name: 'status',
    description: 'Show your latest deletion request.',
    examples: ['crm privacy status', 'crm privacy status --json hasRequest'],
  }).action((_, self) => runAction(self, showStatus))
}

async function showStatus(context: Context): Promise<void> {
  const { output } = context
  const client = await openClient(context, 'session')
  const { hasRequest, request } = await client.call((crm) => crm.privacy.deletionStatus())
  if (output.json) printJson(output, { hasRequest, ...(request && { request }) })
  else if (request === undefined) output.say('You have made no deletion request.')
  else printRecord(output, { row: request, columns: deletionColumns, quiet: request.id })
}

export function defineCancelDeletion(privacy: CommandUnknownOpts): void {
  addCommand(privacy, {
    name: 'cancel',
    description: 'Cancel your deletion request, as long as it is pending.',
    examples: ['crm privacy cancel'],
  }).action((_, self) => runAction(self, cancelDeletion))
}

async function cancelDeletion(context: Context): Promise<void> {
  const { output } = context
  const client = await openClient(context, 'session')
  const { message } = await client.call((crm) => crm.privacy.cancelDeletion())
  output.say(cleanLine(`${message}.`))
  if (output.json) printJson(output, { cancelled: true })
}

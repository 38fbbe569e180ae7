import type { PrivacyRequestSummary } from '@crmkit/sdk'
import { privacy } from '../operations/privacy.gen.ts'
import type { Column } from '../output/column.ts'
import { withColumns } from './factories/add-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { cancelDeletion, deletionColumns, deletionStatus } from './privacy/deletion-status.ts'
import { defineExportOwnData } from './privacy/export.ts'
import { requestCommand } from './privacy/request-command.ts'
import { defineDecisions } from './privacy/requests.ts'

const columns: readonly Column<PrivacyRequestSummary>[] = [
  { title: 'Id', value: (request) => request.id },
  { title: 'Type', value: (request) => request.requestType },
  { title: 'Status', value: (request) => request.status },
  { title: 'Requested', value: (request) => request.requestedAt, isTime: true },
  { title: 'Due', value: (request) => request.dueAt },
]

export const definePrivacy = defineNoun({
  name: 'privacy request',
  columns,
  examples: ['crm privacy export --out me.json', 'crm privacy status'],
  commands: [
    defineExportOwnData,
    withColumns(
      deletionColumns,
      requestCommand({
        operation: privacy.requestDeletion,
        name: 'delete',
        summary: 'Ask for the deletion of your data',
        description:
          'Ask the administrators of your tenant to delete your data. Until they approve the request you can cancel it.',
        examples: ['crm privacy delete', 'crm privacy delete --reason "I have left the company"'],
        fields: { reason: 'your reason' },
      }),
    ),
    deletionStatus,
    cancelDeletion,
    requestCommand({
      operation: privacy.requestAccess,
      name: 'access',
      summary: 'Ask which data about you the tenant processes',
      description: 'Ask the administrators of your tenant which data about you they process, and why.',
      examples: ['crm privacy access --details "Also the time before 2025"'],
      fields: { reason: 'your reason', details: 'the data that you ask about' },
    }),
    requestCommand({
      operation: privacy.requestRectification,
      name: 'rectify',
      summary: 'Ask for the correction of wrong data about you',
      description:
        'Ask the administrators of your tenant to correct wrong data about you. Your name you can change yourself: "crm users update me".',
      examples: ['crm privacy rectify --field lastName --current-value Lovelase --requested-value Lovelace'],
      fields: { field: 'field that is wrong', currentValue: 'value that is wrong', reason: 'your reason' },
    }),
    requestCommand({
      operation: privacy.requestRestriction,
      name: 'restrict',
      summary: 'Ask that your data is stored and not processed',
      description:
        'Ask that your data is stored and not processed. While an approved restriction holds, no conversation is assigned to you automatically, no figures are made about you, and webhooks name you by your id only.',
      examples: ['crm privacy restrict --reason "My last review is disputed"'],
      fields: { reason: 'your reason', details: 'the data that you mean' },
    }),
    requestCommand({
      operation: privacy.requestObjection,
      name: 'object',
      description: 'Object to the processing of your data.',
      examples: ['crm privacy object --reason "I do not want my figures to be compared"'],
      fields: { reason: 'your reason', details: 'the processing that you mean' },
    }),
    defineDecisions,
  ],
})

// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ImportRun, ImportStatus, ImportsListQuery, Page } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const imports = {
  status: operation<NoInput, ImportStatus>({
    name: 'status',
    summary: 'Get the progress of the active import, or of the latest one',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.imports.status(id),
  }),
  list: operation<ImportsListQuery, Page<ImportRun>>({
    name: 'list',
    summary: 'List the imports of the last 90 days, newest first',
    need: 'any',
    fields: [],
    send: (crm, id, input) => crm.imports.list(id, input),
  }),
}

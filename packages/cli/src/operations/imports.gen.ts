// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ImportFile, ImportRun, ImportStatus, ImportsGetPackageQuery, ImportsListFilesQuery, ImportsListQuery, MessageReply, PackageState, Page } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const imports = {
  listFiles: operation<ImportsListFilesQuery, Page<ImportFile>>({
    name: 'listFiles',
    summary: 'List the uploaded files, one a module',
    need: 'any',
    reply: ["_id","module","filename","format","delimiter","headerRow","encoding","sheet","sheets","size","headers","mapping","survey","outside","rowsRead","columns","createdAt","updatedAt"],
    fields: [],
    send: (crm, id, input) => crm.imports.listFiles(id, input),
  }),
  getPackage: operation<ImportsGetPackageQuery, PackageState>({
    name: 'getPackage',
    summary: 'Get the files of a package that are here',
    need: 'any',
    reply: ["accountId","files","missing","complete"],
    fields: [
      {"name":"paths","type":"list","text":"only these files in files, at most 100; default: all that are here, comma separated","value":"list"},
    ],
    send: (crm, id, input) => crm.imports.getPackage(id, input),
  }),
  deletePackage: operation<NoInput, MessageReply>({
    name: 'deletePackage',
    summary: 'Delete the files of a package',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.imports.deletePackage(id),
  }),
  status: operation<NoInput, ImportStatus>({
    name: 'status',
    summary: 'Get the progress of the active import, or of the latest one',
    need: 'any',
    reply: ["syncStatus","syncProgress","lastSyncAt","run"],
    fields: [],
    send: (crm, id) => crm.imports.status(id),
  }),
  list: operation<ImportsListQuery, Page<ImportRun>>({
    name: 'list',
    summary: 'List the imports of the last 90 days, newest first',
    need: 'any',
    reply: ["_id","integrationId","trigger","status","dryRun","selection","dateRange","startedAt","finishedAt","resumeAt","pauseReason","error","modules","errorCount","warningCount","conflictsKept","balance","retryOf","undo","createdAt"],
    fields: [],
    send: (crm, id, input) => crm.imports.list(id, input),
  }),
}

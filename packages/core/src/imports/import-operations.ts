import { z } from 'zod'
import { adminOrKey, defineOperation, none } from '../contract/define-operation.ts'
import { dataOf, listOf, successFlag } from '../contract/envelopes.ts'
import { integration, syncProgress } from '../integrations/integration.ts'
import { syncStatuses } from '../integrations/integration-values.ts'
import { byId, ownId } from '../shared/common-fields.ts'
import { exportFormats } from '../shared/export-formats.ts'
import { pageQuery } from '../shared/page.ts'
import { optionalTimestamp } from '../shared/text.ts'
import {
  autoSyncBody,
  importFile,
  importIssue,
  importRun,
  startImportBody,
  uploadImportFileFields,
} from './import-run.ts'
import { importFileBytesMax, importRunStatuses, issueCodes, issueSeverities } from './import-values.ts'

const path = '/api/extcrm/integrations/{id}'
const params = byId('integration')
const runParams = z.object({ id: ownId('integration'), runId: ownId('run') })
const reading = adminOrKey('read:customers')
const writing = adminOrKey('write:customers', 'write:conversations')
const startsPerHour = {
  name: 'imports',
  requests: 60,
  windowSeconds: 3600,
  per: 'resource',
} as const

const started = z.object({
  success: successFlag,
  message: z.string().describe('Confirmation for people.'),
  data: z
    .object({
      runId: z.string().describe('Id of the run.'),
      status: z.enum(importRunStatuses).describe('State of the run.'),
    })
    .describe('The run.'),
})

export const startImport = defineOperation({
  id: 'imports.start',
  method: 'POST',
  path: `${path}/import`,
  auth: writing,
  audit: 'import.started',
  summary: 'Start an import',
  description:
    'Reads everything of the chosen parts; rows that did not change cost nothing. Read the progress through the import status. ' +
    'Choices that are sent are stored as the settings of the integration, except by a dry run. At most 60 starts an hour, dry runs, retries and undos among them.',
  request: { params, body: startImportBody },
  status: 202,
  response: started,
  limit: startsPerHour,
})

export const getImportStatus = defineOperation({
  id: 'imports.status',
  method: 'GET',
  path: `${path}/import/status`,
  auth: reading,
  summary: 'Get the progress of the active import, or of the latest one',
  request: { params },
  status: 200,
  response: dataOf(
    z
      .object({
        syncStatus: z.enum(syncStatuses).describe('Activity of the integration.'),
        syncProgress,
        lastSyncAt: optionalTimestamp.describe('End of the last completed run.'),
        run: importRun.nullable().describe('The active run, else the latest; null before the first.'),
      })
      .meta({ id: 'ImportStatus', description: 'The progress of an integration.' }),
  ),
})

export const cancelImport = defineOperation({
  id: 'imports.cancel',
  method: 'POST',
  path: `${path}/import/cancel`,
  auth: writing,
  audit: 'import.cancelled',
  summary: 'Cancel the active import; imported records stay',
  request: { params },
  status: 200,
  response: started,
})

export const listImports = defineOperation({
  id: 'imports.list',
  method: 'GET',
  path: `${path}/imports`,
  auth: reading,
  summary: 'List the imports of the last 90 days, newest first',
  request: { params, query: z.object(pageQuery(20)) },
  status: 200,
  response: listOf(importRun),
})

export const getImport = defineOperation({
  id: 'imports.get',
  method: 'GET',
  path: `${path}/imports/{runId}`,
  auth: reading,
  summary: 'Get one import',
  request: { params: runParams },
  status: 200,
  response: dataOf(importRun),
})

export const listImportErrors = defineOperation({
  id: 'imports.listErrors',
  method: 'GET',
  path: `${path}/imports/{runId}/errors`,
  auth: reading,
  summary: 'List the records that were not imported as they are, oldest first',
  description: 'At most 10,000 rows of a run are stored; the counts of the run include the others.',
  request: {
    params: runParams,
    query: z.object({
      severity: z.enum(issueSeverities).optional().describe('Only rows of this severity.'),
      code: z.enum(issueCodes).optional().describe('Only rows with this code.'),
      ...pageQuery(50),
    }),
  },
  status: 200,
  response: listOf(importIssue),
})

export const exportImportErrors = defineOperation({
  id: 'imports.exportErrors',
  method: 'GET',
  path: `${path}/imports/{runId}/errors/export`,
  auth: reading,
  summary: 'Download all records that were not imported as they are',
  description:
    "CSV has the columns `severity,module,externalId,row,code,message,createdAt,column,value,count`; a cell that a spreadsheet would run as a formula begins with `'`. JSON is an array of the rows that the list has.",
  request: {
    params: runParams,
    query: z.object({
      severity: z.enum(issueSeverities).optional().describe('Only rows of this severity.'),
      code: z.enum(issueCodes).optional().describe('Only rows with this code.'),
      format: z.enum(exportFormats).default('csv').describe('Format of the file.'),
    }),
  },
  download: ['text/csv', 'application/json'],
  status: 200,
  response: z.unknown(),
})

export const retryImport = defineOperation({
  id: 'imports.retry',
  method: 'POST',
  path: `${path}/imports/{runId}/retry`,
  auth: writing,
  audit: 'import.started',
  summary: 'Import the failed records of a run again, or continue a run that ended early',
  request: { params: runParams },
  status: 202,
  response: started,
  limit: startsPerHour,
})

export const undoImport = defineOperation({
  id: 'imports.undo',
  method: 'POST',
  path: `${path}/imports/{runId}/undo`,
  auth: writing,
  audit: 'import.undone',
  summary: 'Remove the rows that an import made, and restore those that it changed',
  description:
    'Possible for 30 days. Rows that were changed since stay as they are, and are listed among the errors with severity `kept`.',
  request: { params: runParams },
  status: 202,
  response: z.object({
    success: successFlag,
    data: z
      .object({ runId: z.string().describe('Id of the run.'), undo: importRun.shape.undo })
      .describe('The undo.'),
  }),
  limit: startsPerHour,
})

export const setAutoSync = defineOperation({
  id: 'integrations.setAutoSync',
  method: 'PUT',
  path: `${path}/auto-sync`,
  auth: writing,
  audit: 'integration.updated',
  summary: 'Switch automatic sync on or off',
  request: { params, body: autoSyncBody },
  status: 200,
  response: dataOf(integration),
})

export const uploadImportFile = defineOperation({
  id: 'imports.uploadFile',
  method: 'POST',
  path: `${path}/files`,
  auth: writing,
  audit: none('a file changes no customer: the import that reads it has the entry'),
  summary: 'Upload a CSV, JSON, NDJSON or vCard file with the records of one module',
  description:
    'A form with `module` (`Contacts`, `Leads`, `Deals`, `Cases`, `Notes` or `Calls`), then `file`, of at most 1 GB. ' +
    'Encoding, delimiter and the line of the header are found by the content where the form does not give them. ' +
    'A workbook, a picture or another format is refused with its name. A new file of a module replaces the old one. Files are removed 7 days after the run that read them.',
  upload: {
    field: 'file',
    bytesMax: importFileBytesMax,
    fields: uploadImportFileFields,
    owner: 'integrationId',
  },
  request: { params },
  status: 201,
  response: dataOf(importFile),
})

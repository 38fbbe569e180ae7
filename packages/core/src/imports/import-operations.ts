import { z } from 'zod'
import { adminOrKey, defineOperation, none } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply, successFlag } from '../contract/envelopes.ts'
import { integration, syncProgress } from '../integrations/integration.ts'
import { syncStatuses } from '../integrations/integration-values.ts'
import { byId, ownId } from '../shared/common-fields.ts'
import { exportFormats } from '../shared/export-formats.ts'
import { pageQuery, queryArray } from '../shared/page.ts'
import { optionalTimestamp } from '../shared/text.ts'
import {
  importFile,
  updateImportFileBody,
  uploadImportArchiveFields,
  uploadImportFileFields,
} from './import-file.ts'
import {
  autoSyncBody,
  importIssue,
  importRun,
  packageFile,
  packageState,
  startImportBody,
} from './import-run.ts'
import {
  fileModules,
  importFileBytesMax,
  importRunStatuses,
  issueCodes,
  issueSeverities,
} from './import-values.ts'

const path = '/api/extcrm/integrations/{id}'
const params = byId('integration')
const runParams = z.object({ id: ownId('integration'), runId: ownId('run') })
const reading = adminOrKey('read:customers')
const writing = adminOrKey('write:customers', 'write:conversations')
const fileParams = z.object({ id: ownId('integration'), fileId: ownId('file') })
const startsPerHour = {
  name: 'imports',
  requests: 60,
  windowSeconds: 3600,
  per: 'resource',
} as const

const filesPerHour = {
  name: 'importFiles',
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

export const exportRejectedRows = defineOperation({
  id: 'imports.exportRejected',
  method: 'GET',
  path: `${path}/imports/{runId}/rejected`,
  auth: reading,
  summary: 'Download the rows of a file that were not imported, to correct them',
  description:
    'CSV with the header and the cells of the file, then `import row`, `import code` and `import message`, which an upload leaves out. Of the first 10,000 such rows. 410 once the file is removed: it is kept for 7 days after its last run, or until another one takes its place.',
  request: {
    params: runParams,
    query: z.object({
      module: z
        .enum(fileModules)
        .optional()
        .describe('Module whose rows the file holds. Default: the first of the run.'),
    }),
  },
  download: ['text/csv'],
  mayBeGone: true,
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
  summary: 'Upload a CSV, Excel, JSON, NDJSON or vCard file with the records of one module',
  description:
    'A form with `module` (`Contacts`, `Leads`, `Deals`, `Cases`, `Notes` or `Calls`), then `file`, of at most 1 GB. ' +
    'Encoding, delimiter and the line of the header are found by the content where the form does not give them. ' +
    'A picture or another format is refused with its name. A new file of a module replaces the old one; refused while an import runs. Files are removed 7 days after the upload and the last run that read them. ' +
    'Without `module` the file is an archive (.zip) with one table for each module, found by its name (`contacts.csv`, `tickets.json`): all are taken, or none, and `data` is a list.',
  upload: {
    field: 'file',
    bytesMax: importFileBytesMax,
    fields: uploadImportFileFields,
    without: {
      text: 'module',
      fields: uploadImportArchiveFields,
      response: z.object({
        success: successFlag,
        data: z.array(importFile).describe('The files, in the order of the archive.'),
      }),
      method: 'uploadArchive',
      summary: 'Upload an archive (.zip) with one table for each module',
      description:
        'Each table is found by its name, such as `contacts.csv` or `tickets.json`; all are taken, or none. An entry that is no table, a table whose name says no module, and two tables of one module are refused.',
    },
    owner: 'integrationId',
  },
  request: { params },
  status: 201,
  response: dataOf(importFile),
  limit: filesPerHour,
  // A stored reply would show samples of people who are erased meanwhile; a file that is sent again replaces the first one.
  idempotency: 'never',
})

export const listImportFiles = defineOperation({
  id: 'imports.listFiles',
  method: 'GET',
  path: `${path}/files`,
  auth: reading,
  summary: 'List the uploaded files, one a module',
  request: { params, query: z.object(pageQuery(20)) },
  status: 200,
  response: listOf(importFile),
})

export const getImportFile = defineOperation({
  id: 'imports.getFile',
  method: 'GET',
  path: `${path}/files/{fileId}`,
  auth: reading,
  summary: 'Get an uploaded file with its columns and samples of their values',
  description:
    'Samples and words are read from the file for each request, and stored nowhere. Files of deals, cases, notes and calls need `read:conversations`.',
  request: { params: fileParams },
  status: 200,
  response: dataOf(importFile),
})

export const updateImportFile = defineOperation({
  id: 'imports.updateFile',
  method: 'PUT',
  path: `${path}/files/{fileId}`,
  auth: writing,
  audit: none('it changes how a file is read: the import that reads it has the entry'),
  summary: 'Change how an uploaded file is read',
  description: 'A field with null is found by the content again. Refused while an import runs.',
  request: { params: fileParams, body: updateImportFileBody },
  status: 200,
  response: dataOf(importFile),
  limit: filesPerHour,
})

export const deleteImportFile = defineOperation({
  id: 'imports.deleteFile',
  method: 'DELETE',
  path: `${path}/files/{fileId}`,
  auth: writing,
  audit: none('the file of an import holds nothing that an import has not written'),
  summary: 'Delete an uploaded file',
  description: 'Its runs and what they imported stay. Refused while an import runs.',
  request: { params: fileParams },
  status: 200,
  response: messageReply,
})

export const putPackageFile = defineOperation({
  id: 'imports.putPackageFile',
  method: 'PUT',
  path: `${path}/package/{path}`,
  auth: writing,
  audit: none('a file changes no customer: the import that reads it has the entry'),
  summary: 'Store a file of a package',
  description:
    'The body is the file itself, or a form with `file`. A file that is here already gets 200. ' +
    'A manifest with other bytes after a run begins a new package; a package has at most 1 GB a file, 50 MB an attachment and 8 MB a manifest.',
  upload: { field: 'file', bytesMax: importFileBytesMax, owner: 'integrationId', isRaw: true },
  request: {
    params: z.object({
      id: ownId('integration'),
      path: z
        .string()
        .describe('`manifest.json`, `{kind}-0001.ndjson`, or `bytes/ab/{sha256}` of an attachment.'),
    }),
  },
  status: 201,
  statusOfRepeat: 200,
  response: dataOf(packageFile),
})

export const getPackage = defineOperation({
  id: 'imports.getPackage',
  method: 'GET',
  path: `${path}/package`,
  auth: reading,
  summary: 'Get the files of a package that are here',
  request: {
    params,
    query: z.object({
      paths: queryArray(z.string().max(200))
        .optional()
        .describe('Only these files in `files`, at most 100. Default: all that are here.'),
    }),
  },
  status: 200,
  response: dataOf(packageState),
})

export const deletePackage = defineOperation({
  id: 'imports.deletePackage',
  method: 'DELETE',
  path: `${path}/package`,
  auth: writing,
  audit: none('the files of an import hold nothing that an import has not written'),
  summary: 'Delete the files of a package',
  request: { params },
  status: 200,
  response: messageReply,
})

export const getCountSheet = defineOperation({
  id: 'imports.countSheet',
  method: 'GET',
  path: `${path}/imports/{runId}/count-sheet`,
  auth: reading,
  summary: 'Download the figures of a package: at the source, in the package and here',
  description: 'JSON is an array of the rows, by kind and month; CSV has the same columns.',
  request: {
    params: runParams,
    query: z.object({ format: z.enum(exportFormats).default('json').describe('Format of the file.') }),
  },
  download: ['application/json', 'text/csv'],
  mayConflict: true,
  status: 200,
  response: z.unknown(),
})

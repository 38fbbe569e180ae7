import { z } from 'zod'
import { importSettings } from '../integrations/integration.ts'
import { createdAt, ownId } from '../shared/common-fields.ts'
import { referenceTo } from '../shared/reference.ts'
import { optionalTimestamp } from '../shared/text.ts'
import { balancedModules, importRunStatuses, issueSeverities } from './import-values.ts'

const count = (text: string) => z.int().describe(text)

export const importCounts = z
  .object({
    total: z.int().nullable().describe('Records of the module; null while it is unknown.'),
    totalIsEstimate: z.boolean().describe('Whether `total` is an estimate of the source.'),
    read: count('Records that were read, each once.'),
    created: count('Records that made a new row here.'),
    updated: count('Known records of which something was written.'),
    unchanged: count('Known records of which nothing was written.'),
    merged: count('Records that joined an existing customer.'),
    skipped: count('Records that were left out on purpose.'),
    failed: count('Records that could not be imported.'),
    deleted: count('Known records that were deleted at the source.'),
    done: z.boolean().describe('Whether the module is complete.'),
  })
  .meta({ id: 'ImportCounts', description: 'The figures of one module of a run.' })
export type ImportCounts = z.infer<typeof importCounts>

const balancedRows = z
  .object({
    total: count('Rows of the file, by their position.'),
    blank: count('Rows without a value.'),
    outside: count('Lines before or behind the table, and its header.'),
    created: count('Rows that made something new here.'),
    updated: count('Rows of which something was written.'),
    unchanged: count('Rows of which nothing had to be written.'),
    merged: count('Rows that joined an existing customer.'),
    skipped: count('Rows that were left out on purpose.'),
    failed: count('Rows that could not be imported.'),
    repeated: count('Rows with the id of another row that is imported.'),
  })
  .describe('The rows of the file, each in one figure beside `total`.')

const balancedColumn = z
  .object({
    name: z.string().describe('Name of the column.'),
    target: z.string().nullable().describe('Field that it was mapped to; null: none.'),
    cells: count('Cells with a value, in rows that could be read.'),
    stored: count('Cells that went to the target.'),
    kept: count('Cells that became a custom field.'),
    named: count('Cells that an entry of the errors names, by their row or their column.'),
    leftOut: count('Cells of a column that a person mapped to nothing.'),
  })
  .meta({ id: 'BalancedColumn', description: 'The cells of a column, each in one figure beside `cells`.' })
export type BalancedColumn = z.infer<typeof balancedColumn>

export const importBalance = z
  .object({
    closes: z
      .boolean()
      .nullable()
      .describe('Whether each row and each cell is in one figure; null until the run ends.'),
    files: z
      .array(
        z
          .object({
            module: z.enum(balancedModules).describe('Module of the file, or kind of the package.'),
            fileId: z.string().describe('Id of the file; of a package the kind.'),
            filename: z.string().describe('Name of the file.'),
            rows: balancedRows,
            columns: z.array(balancedColumn).optional().describe('The columns; absent in lists of runs.'),
          })
          .meta({ id: 'BalancedFile', description: 'The figures of one file.' }),
      )
      .describe('The files that the run has read.'),
  })
  .meta({ id: 'ImportBalance', description: 'The figures of each row and each cell of the files.' })
export type ImportBalance = z.infer<typeof importBalance>
export type BalancedFile = ImportBalance['files'][number]

const day = z.string().nullable()

export const importRun = z
  .object({
    _id: ownId('run'),
    integrationId: z.string().describe('Id of the integration.'),
    trigger: z.enum(['manual', 'auto', 'retry']).describe('Cause of the run.'),
    status: z
      .enum(importRunStatuses)
      .describe('State. `paused`: it waits for a limit of the source until `resumeAt`.'),
    dryRun: z.boolean().describe('Whether it only reports what an import would do.'),
    selection: importSettings.describe('Parts that the run reads.'),
    dateRange: z
      .object({ startDate: day.describe('First day, UTC.'), endDate: day.describe('Last day, UTC.') })
      .nullable()
      .describe('Days of the last change at the source; null without a bound.'),
    startedAt: optionalTimestamp.describe('Time at which the first process took it up.'),
    finishedAt: optionalTimestamp.describe('Time of its end.'),
    resumeAt: optionalTimestamp.describe('Time at which a paused run goes on.'),
    pauseReason: z.enum(['rate_limit', 'quota']).nullable().describe('Limit that a paused run waits for.'),
    error: z
      .object({
        code: z.string().describe('Stable code, for programs.'),
        message: z.string().describe('Description for people.'),
      })
      .nullable()
      .describe('Reason of a failed run.'),
    modules: z.record(z.string(), importCounts).describe('The figures of each module, by its name.'),
    errorCount: count('Records that could not be imported.'),
    warningCount: count('Warnings.'),
    conflictsKept: count('Fields that were edited here and kept their value.'),
    balance: importBalance
      .nullable()
      .describe(
        'Every row and cell of the files; null for other sources, and for a retry of single records.',
      ),
    retryOf: z.string().nullable().describe('Id of the run that this one repeats or continues.'),
    undo: z
      .object({
        status: z.enum(['none', 'running', 'done', 'failed']).describe('State of the undo.'),
        startedAt: optionalTimestamp.describe('Time at which the undo was requested.'),
        finishedAt: optionalTimestamp.describe('Time at which the undo ended.'),
        removed: count('Rows that were removed.'),
        restored: count('Rows that have their earlier values again.'),
        kept: count('Rows that were changed since and stay as they are.'),
      })
      .describe('The undo of the run.'),
    createdAt,
  })
  .meta({ id: 'ImportRun', description: 'One import.' })
export type ImportRun = z.infer<typeof importRun>

export const importIssue = z
  .object({
    _id: ownId('row'),
    runId: z.string().describe('Id of the run.'),
    severity: z
      .enum(issueSeverities)
      .describe('`error`: not imported. `warning`: imported with a loss. `skipped`, `kept`: on purpose.'),
    module: z.string().describe('Module of the record.'),
    externalId: z.string().nullable().describe('Id of the record at the source.'),
    row: z.int().nullable().describe('Number of the row in the file; the header has number 1.'),
    code: z.string().describe('Stable code, for programs.'),
    message: z.string().describe('Description for people, without values of the record.'),
    column: z.string().nullable().describe('Column of the file, or field of the source, that it is about.'),
    value: z
      .string()
      .nullable()
      .describe('The word that has no meaning here, of a column such as a status; else null.'),
    count: count('Records that it is about; `row` is the first of them.'),
    details: z
      .object({
        candidates: z
          .array(z.string())
          .optional()
          .describe('Ids of at most 5 customers who may be the same person.'),
        month: z.string().optional().describe('Month of a record of a package, UTC.'),
      })
      .nullable()
      .describe('More about some codes.'),
    createdAt,
  })
  .meta({ id: 'ImportIssue', description: 'A record that was not imported as it is.' })
export type ImportIssue = z.infer<typeof importIssue>

const choice = (text: string) => z.boolean().nullable().optional().describe(text)
const calendarDay = (text: string) => z.string().max(40).nullable().optional().describe(text)

export const startImportBody = z
  .strictObject({
    importContacts: choice('Contacts and leads. Default: the setting of the integration.'),
    importDeals: choice('Deals. Default: the setting of the integration.'),
    importTickets: choice('Cases. Default: the setting of the integration.'),
    importNotes: choice('Notes. Default: the setting of the integration.'),
    importActivities: choice('Calls, tasks and meetings. Default: the setting of the integration.'),
    preserveIds: choice('Ids of the source where they are free. Default: the setting of the integration.'),
    dateRange: z
      .strictObject({
        startDate: calendarDay('First day of the last change, `YYYY-MM-DD`, UTC.'),
        endDate: calendarDay('Last day of the last change, `YYYY-MM-DD`, UTC.'),
      })
      .nullable()
      .optional()
      .describe('Only records that were changed at the source on these days.'),
    inboxes: z
      .record(z.string().min(1).max(200), referenceTo('inbox'))
      .nullable()
      .optional()
      .describe('For a package: the inbox here of each of its inboxes, by the id there.'),
    dryRun: choice('Report what the import would do, and write nothing. Default: false.'),
  })
  .meta({ id: 'StartImport', description: 'The parts of an import.' })
export type StartImportBody = z.output<typeof startImportBody>

export const autoSyncBody = z
  .strictObject({
    enabled: z.boolean().describe('Whether changes of the source are imported regularly.'),
    intervalMinutes: z
      .int()
      .min(1)
      .max(1440)
      .nullable()
      .optional()
      .describe('Minutes between two syncs, 1 to 1440. Default: 15.'),
  })
  .meta({ id: 'AutoSync', description: 'Automatic sync.' })

export const packageFile = z
  .object({
    path: z.string().describe('Path in the package, such as `messages-0001.ndjson`.'),
    size: z.int().describe('Size in bytes.'),
    sha256: z.string().describe('SHA-256 of the bytes, in hexadecimal.'),
  })
  .meta({ id: 'PackageFile', description: 'A file of a package.' })

export const packageState = z
  .object({
    accountId: z.string().nullable().describe('Account of the manifest; null before there is one.'),
    files: z.array(packageFile).describe('Files that are here.'),
    missing: z.array(z.string()).describe('Files of the manifest that are not here, or have other bytes.'),
    complete: z.boolean().describe('Whether an import can start.'),
  })
  .meta({ id: 'PackageState', description: 'The package of an integration.' })

export const countSheetRow = z
  .object({
    kind: z.string().describe('Kind of the package.'),
    month: z.string().nullable().describe('Month of creation, UTC; null for records without a time.'),
    source: z.int().nullable().describe('Records at the source; null where it does not say.'),
    package: z.int().describe('Records of the package.'),
    here: z.int().describe('Records that are here.'),
    differences: z
      .array(
        z.object({
          id: z.string().nullable().describe('Id at the source; null for several records.'),
          code: z.string().describe('Reason, for programs.'),
        }),
      )
      .describe('Records that are not here; at most 50.'),
  })
  .meta({ id: 'CountSheetRow', description: 'The figures of one kind and one month of a package.' })
export type CountSheetRow = z.infer<typeof countSheetRow>

import type { UpdateImportFile } from '@crmkit/sdk'
import { imports } from '../operations/imports.gen.ts'
import { cleanLine } from '../output/clean-text.ts'
import { printRecord } from '../output/print-record.ts'
import { openClient } from '../profile/open-client.ts'
import { assertConfirmed, yesOption } from './confirm.ts'
import { addCommand, type NounCommand, withColumns } from './factories/add-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { listCommand } from './factories/list-command.ts'
import { listErrors, saveRejected } from './imports/errors.ts'
import { latestRunId } from './imports/latest-run.ts'
import { deletePackage, getPackage, loadPackage, showCountSheet } from './imports/package-commands.ts'
import { runColumns } from './imports/run-columns.ts'
import { fileColumns, showFile } from './imports/show-file.ts'
import { showRun } from './imports/show-run.ts'
import { startImport } from './imports/start.ts'
import { uploadFile } from './imports/upload.ts'
import { watchRun } from './imports/watch-run.ts'
import { watchUndo } from './imports/watch-undo.ts'
import { wholeNumber } from './option-values.ts'
import { runAction } from './run-action.ts'

const integration = ['<integration>', 'the id of the integration'] as const

const watchImport: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'watch',
    description: 'Show the progress of the import that runs, until it ends.',
    notes: 'Ctrl-C ends this command only; the import goes on.',
    examples: ['crm imports watch int_01J8ZQ4W9P'],
  })
    .argument(...integration)
    .action((id, _options, self) =>
      runAction(self, async (context) => watchRun(context, await openClient(context), id)),
    )
}

const getRun: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'get',
    description: 'Show an import with the figures of each module.',
    examples: ['crm imports get int_01J8ZQ4W9P', 'crm imports get int_01J8ZQ4W9P imp_01J8ZQ4W9P --json'],
  })
    .argument(...integration)
    .argument('[run]', 'the id of the import; default: the latest')
    .action((id, run, _options, self) =>
      runAction(self, async (context) => {
        const client = await openClient(context)
        const runId = run ?? (await latestRunId(client, id))
        await showRun(context.output, await client.call((crm) => crm.imports.get(id, runId)))
      }),
    )
}

const getFile: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'file',
    description: 'Show an uploaded file: what its columns hold, where they go, and what their words become.',
    notes: 'The options change how the file is read.',
    examples: [
      'crm imports file int_01J8ZQ4W7N att_01J8ZQ4W7N',
      'crm imports file int_01J8ZQ4W7N att_01J8ZQ4W7N --header-row 3',
    ],
  })
    .argument(...integration)
    .argument('<file>', 'the id of the file')
    .option('--encoding <encoding>', 'the encoding, such as windows-1250')
    .option('--delimiter <sign>', 'the sign between two cells, or tab')
    .option('--header-row <line>', 'the line with the names of the columns, 0 for none', wholeNumber)
    .action((id, fileId, fields, self) =>
      runAction(self, async (context) => {
        const { call } = await openClient(context)
        const body = fields as UpdateImportFile
        const isChanged = Object.keys(body).length > 0
        const file = await call((crm) =>
          isChanged ? crm.imports.updateFile(id, fileId, body) : crm.imports.getFile(id, fileId),
        )
        await showFile(context.output, file)
      }),
    )
}

const deleteFile: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'delete-file',
    description: 'Delete an uploaded file. Imported records stay.',
    examples: ['crm imports delete-file int_01J8ZQ4W7N att_01J8ZQ4W7N --yes'],
  })
    .argument(...integration)
    .argument('<file>', 'the id of the file')
    .addOption(yesOption())
    .action((id, fileId, { yes }, self) =>
      runAction(self, async (context) => {
        await assertConfirmed(context, {
          question: `Delete the file ${cleanLine(fileId)}?`,
          refusal: 'Nothing was deleted.',
          yes: yes as true | undefined,
        })
        const { call } = await openClient(context)
        await call((crm) => crm.imports.deleteFile(id, fileId))
        context.output.say('Deleted the file.')
      }),
    )
}

const cancelImport: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'cancel',
    description: 'Cancel the import that runs. Imported records stay.',
    examples: ['crm imports cancel int_01J8ZQ4W7N'],
  })
    .argument(...integration)
    .action((id, _options, self) =>
      runAction(self, async (context) => {
        const { call } = await openClient(context)
        const { runId } = await call((crm) => crm.imports.cancel(id))
        context.output.say('Cancelled the import.')
        const row = await call((crm) => crm.imports.get(id, runId))
        printRecord(context.output, { row, columns: runColumns, quiet: runId })
      }),
    )
}

const retryImport: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'retry',
    description:
      'Import the failed records of an import again, or continue one that failed or was cancelled.',
    examples: ['crm imports retry int_01J8ZQ4W9P imp_01J8ZQ4W9P'],
  })
    .argument(...integration)
    .argument('[run]', 'the id of the import; default: the latest')
    .option('--watch', 'show the progress until the end')
    .action((id, run, { watch }, self) =>
      runAction(self, async (context) => {
        const client = await openClient(context)
        const runId = run ?? (await latestRunId(client, id))
        const started = await client.call((crm) => crm.imports.retry(id, runId))
        if (watch) return watchRun(context, client, id)
        context.output.say('Started the import. "crm imports watch" shows its progress.')
        const row = await client.call((crm) => crm.imports.get(id, started.runId))
        printRecord(context.output, { row, columns: runColumns, quiet: started.runId })
      }),
    )
}

const undoImport: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'undo',
    description: 'Remove the rows that an import made, and restore those that it changed.',
    notes:
      'Rows that were changed since the import stay; "crm imports errors --severity kept" lists them. Possible for 30 days.',
    examples: ['crm imports undo int_01J8ZQ4W9P imp_01J8ZQ4W9P --yes'],
  })
    .argument(...integration)
    .argument('<run>', 'the id of the import')
    .addOption(yesOption())
    .action((id, run, { yes }, self) =>
      runAction(self, async (context) => {
        await assertConfirmed(context, {
          question: `Undo the import ${cleanLine(run)} and remove the rows that it made?`,
          refusal: 'Nothing was removed.',
          yes: yes as true | undefined,
        })
        const client = await openClient(context)
        await client.call((crm) => crm.imports.undo(id, run))
        await watchUndo(context, client, { integrationId: id, runId: run })
      }),
    )
}

export const defineImports = defineNoun({
  name: 'import',
  notes: '"crm integrations create" makes the integration that an import belongs to.',
  examples: [
    'crm imports upload int_01J8ZQ4W7N contacts.csv --module Contacts',
    'crm imports start int_01J8ZQ4W9P --only contacts --watch',
  ],
  commands: [
    uploadFile,
    withColumns(
      fileColumns,
      listCommand({
        operation: imports.listFiles,
        name: 'files',
        rowName: 'file',
        description: 'List the uploaded files of an integration, one a module.',
        examples: ['crm imports files int_01J8ZQ4W7N'],
        argument: integration,
      }),
    ),
    getFile,
    deleteFile,
    loadPackage,
    getPackage,
    deletePackage,
    startImport,
    watchImport,
    withColumns(
      runColumns,
      listCommand({
        operation: imports.list,
        description: 'List the imports of an integration of the last 90 days, newest first.',
        examples: ['crm imports list int_01J8ZQ4W7N'],
        argument: integration,
      }),
    ),
    getRun,
    listErrors,
    saveRejected,
    showCountSheet,
    cancelImport,
    retryImport,
    undoImport,
  ],
})

import { imports } from '../operations/imports.gen.ts'
import { cleanLine } from '../output/clean-text.ts'
import { printRecord } from '../output/print-record.ts'
import { openClient } from '../profile/open-client.ts'
import { assertConfirmed, yesOption } from './confirm.ts'
import { addCommand, type NounCommand, withColumns } from './factories/add-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { listCommand } from './factories/list-command.ts'
import { listErrors } from './imports/errors.ts'
import { latestRunId } from './imports/latest-run.ts'
import { runColumns } from './imports/run-columns.ts'
import { showRun } from './imports/show-run.ts'
import { startImport } from './imports/start.ts'
import { uploadFile } from './imports/upload.ts'
import { watchRun } from './imports/watch-run.ts'
import { watchUndo } from './imports/watch-undo.ts'
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
    cancelImport,
    retryImport,
    undoImport,
  ],
})

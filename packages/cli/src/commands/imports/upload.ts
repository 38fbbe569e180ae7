import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { Option } from '@commander-js/extra-typings'
import type { ImportFile, UploadImportFile } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'
import { printAll } from '../../output/print-list.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertReadable } from '../attachments/upload-files.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'
import { fileModules } from './file-modules.ts'
import { fileColumns, showFile } from './show-file.ts'

/** A gigabyte on a slow connection. */
const uploadMs = 60 * 60_000

/** Of a file that is a table of an archive. */
const tableColumns: readonly Column<ImportFile>[] = [
  ...fileColumns.filter(({ title }) => title !== 'Size'),
  { title: 'Table', value: (row) => row.sheet ?? '', isFlexible: true },
]

export const uploadFile: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'upload',
    description: 'Upload a CSV, Excel, JSON, NDJSON or vCard file, or an archive with one of each module.',
    notes:
      'A new file of a module replaces the old one. A table shows what each column holds and where it goes; "crm integrations update --map" and "--value" change that. Each file of an archive goes to the module that its name says, such as contacts.csv and tickets.json: all are taken, or none.',
    examples: [
      'crm imports upload int_01J8ZQ4W7N contacts.csv --module Contacts',
      'crm imports upload int_01J8ZQ4W7N export.zip',
    ],
  })
    .argument('<integration>', 'the id of the integration')
    .argument('<file>', 'the file, at most 1 GB')
    .addOption(
      new Option(
        '--module <module>',
        'the kind of the records; else Contacts, and of an archive (.zip) each kind that it has',
      ).choices(fileModules),
    )
    .option('--encoding <encoding>', 'the encoding, such as windows-1250; else the bytes say it')
    .option('--delimiter <sign>', 'the sign between two cells, or tab; else the rows say it')
    .option('--header-row <line>', 'the line with the names of the columns, 0 for none; else it is found')
    .option('--sheet <name>', 'the sheet of a workbook, or the file of an archive; else it is found')
    .action((id, path, fields, self) =>
      runAction(self, async (context) => {
        await assertReadable([path])
        const { output } = context
        const { call } = await openClient(context)
        const options = { filename: basename(path), timeout: uploadMs, deadline: uploadMs }
        const file = await openAsBlob(path)
        const { module, ...texts } = fields as Partial<UploadImportFile>
        if (module === undefined && texts.sheet === undefined && /\.zip$/i.test(path)) {
          const rows = await call((crm) => crm.imports.uploadArchive(id, file, texts, options))
          await printAll(output, { rows, columns: tableColumns, quiet: (row) => row._id })
          return
        }
        const body = { ...texts, module: module ?? 'Contacts' }
        await showFile(output, await call((crm) => crm.imports.uploadFile(id, file, body, options)))
      }),
    )
}

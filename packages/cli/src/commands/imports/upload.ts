import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { Option } from '@commander-js/extra-typings'
import type { UploadImportFile } from '@crmkit/sdk'
import { openClient } from '../../profile/open-client.ts'
import { assertReadable } from '../attachments/upload-files.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'
import { fileModules } from './file-modules.ts'
import { showFile } from './show-file.ts'

/** A gigabyte on a slow connection. */
const uploadMs = 60 * 60_000

export const uploadFile: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'upload',
    description: 'Upload a CSV, Excel, JSON, NDJSON or vCard file with the records of one module.',
    notes:
      'A new file of a module replaces the old one. A table shows what each column holds and where it goes; "crm integrations update --map" and "--value" change that.',
    examples: ['crm imports upload int_01J8ZQ4W7N contacts.csv --module Contacts'],
  })
    .argument('<integration>', 'the id of the integration')
    .argument('<file>', 'the file, at most 1 GB')
    .addOption(
      new Option('--module <module>', 'the kind of the records').choices(fileModules).default('Contacts'),
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
        const body = fields as Record<string, unknown> & UploadImportFile
        const row = await call((crm) => crm.imports.uploadFile(id, file, body, options))
        await showFile(output, row)
      }),
    )
}

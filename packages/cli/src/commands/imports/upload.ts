import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { Option } from '@commander-js/extra-typings'
import type { ImportFile, UploadImportFile } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'
import type { Output } from '../../output/output.ts'
import { printList } from '../../output/print-list.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertReadable } from '../attachments/upload-files.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'

/** A gigabyte on a slow connection. */
const uploadMs = 60 * 60_000
const modules = ['Contacts', 'Leads', 'Deals', 'Cases', 'Notes', 'Calls'] as const

const columns: readonly Column<ImportFile>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Module', value: (row) => row.module },
  { title: 'File', value: (row) => row.filename, isFlexible: true },
  { title: 'Format', value: (row) => row.format },
  { title: 'Encoding', value: (row) => row.encoding },
  { title: 'Size', value: (row) => row.size },
]

export const uploadFile: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'upload',
    description: 'Upload a CSV, JSON, NDJSON or vCard file with the records of one module.',
    notes:
      'A new file of a module replaces the old one. The table shows where each column goes; "crm integrations update --map" changes that.',
    examples: ['crm imports upload int_01J8ZQ4W7N contacts.csv --module Contacts'],
  })
    .argument('<integration>', 'the id of the integration')
    .argument('<file>', 'the file, at most 1 GB')
    .addOption(
      new Option('--module <module>', 'the kind of the records').choices(modules).default('Contacts'),
    )
    .option('--encoding <encoding>', 'the encoding, such as windows-1250; else the bytes say it')
    .option('--delimiter <sign>', 'the sign between two cells, or tab; else the rows say it')
    .option('--header-row <line>', 'the line with the names of the columns, 0 for none; else it is found')
    .action((id, path, fields, self) =>
      runAction(self, async (context) => {
        await assertReadable([path])
        const { output } = context
        const { call } = await openClient(context)
        const options = { filename: basename(path), timeout: uploadMs, deadline: uploadMs }
        const file = await openAsBlob(path)
        const body = fields as Record<string, unknown> & UploadImportFile
        const row = await call((crm) => crm.imports.uploadFile(id, file, body, options))
        printRecord(output, { row, columns, quiet: row._id })
        if (!output.json && !output.isQuiet && output.isTerminal) await printMapping(output, row)
      }),
    )
}

async function printMapping(output: Output, { mapping }: ImportFile): Promise<void> {
  const rows = Object.entries(mapping).map(([header, target]) => ({ header, target }))
  await printList(output, {
    rows,
    columns: [
      { title: 'Column', value: (row) => row.header, isFlexible: true },
      { title: 'Goes to', value: (row) => row.target ?? 'nowhere', isFlexible: true },
    ],
  })
}

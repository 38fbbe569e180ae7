import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Option } from '@commander-js/extra-typings'
import type { PackageFolder } from '@crmkit/core/package-folder'
import type { PackageState } from '@crmkit/sdk'
import { CliError, usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { counted } from '../../output/plural.ts'
import { printAll } from '../../output/print-list.ts'
import { printRecord } from '../../output/print-record.ts'
import { wholeOf } from '../../output/save-stream.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'
import { latestRunId } from './latest-run.ts'
import { uploadPackage } from './upload-package.ts'

const integration = ['<integration>', 'the id of the integration'] as const

export const loadPackage: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'load',
    description: 'Upload the package that "crm migrate" made, for the next import.',
    notes:
      'Files that are there already are not sent again, so the same command goes on after an interruption. "crm imports start" imports the package.',
    examples: ['crm imports load int_01J8ZQ4W7N from-zendesk'],
  })
    .argument(...integration)
    .argument('<folder>', 'the folder of the package, or its archive (.crmkit.zip)')
    .action((id, folder, _options, self) =>
      runAction(self, async (context) => {
        const client = await openClient(context)
        await withFolder(resolve(folder), async (path) => {
          const files = await uploadPackage(context, client, { id, folder: await openWhole(path) })
          // The list of a large package is never held.
          const state = await client.call((crm) => crm.imports.getPackage(id, { paths: ['manifest.json'] }))
          show(context, { ...state, files })
        })
      }),
    )
}

/** An archive is unpacked beside itself for as long as the work lasts. */
async function withFolder(path: string, work: (folder: string) => Promise<void>): Promise<void> {
  const { isArchiveName, unpackArchive } = await import('@crmkit/core/package-folder')
  if (!isArchiveName(path)) return work(path)
  const around = await mkdtemp(join(dirname(path), '.crmkit-package-'))
  try {
    const folder = join(around, 'package')
    await unpackArchive(path, folder).catch((error: Error) => refuse(path, error))
    await work(folder)
  } finally {
    await rm(around, { recursive: true, force: true })
  }
}

/** Opens a package whose files are those of its manifest. */
async function openWhole(path: string): Promise<PackageFolder> {
  const { openPackage } = await import('@crmkit/core/package-folder')
  try {
    const opened = await openPackage(path)
    await opened.verify()
    return opened
  } catch (error) {
    return refuse(path, error as Error)
  }
}

async function refuse(path: string, error: Error): Promise<never> {
  const { PackageProblem } = await import('@crmkit/core/package-folder')
  if (!(error instanceof PackageProblem)) throw error
  throw new CliError(`${path} is no whole package: ${cleanLine(error.message)}.`, {
    code: 'PACKAGE_INCOMPLETE',
    exitCode: exitCodes.conflictOrValidation,
    hint: 'Run "crm migrate" with this folder again.',
  })
}

interface StateRow {
  readonly account: string | null
  readonly files: number
  readonly missing: readonly string[]
  readonly complete: boolean
}

const stateColumns: readonly Column<StateRow>[] = [
  { title: 'Account', value: (row) => row.account },
  { title: 'Files', value: (row) => row.files },
  { title: 'Missing', value: (row) => row.missing, isFlexible: true },
  { title: 'Complete', value: (row) => row.complete },
]

type ShownState = Omit<PackageState, 'files'> & { readonly files: number }

function show({ output }: Context, { accountId, files, missing, complete }: ShownState): void {
  const row = { account: accountId, files, missing, complete }
  printRecord(output, { row, columns: stateColumns, quiet: accountId ?? '' })
  if (!complete) output.say(`${counted(missing.length, 'file')} missing.`)
}

export const getPackage: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'package',
    description: 'Show the package of an integration, and what is missing of it.',
    examples: ['crm imports package int_01J8ZQ4W7N'],
  })
    .argument(...integration)
    .action((id, _options, self) =>
      runAction(self, async (context) => {
        const { call } = await openClient(context)
        const state = await call((crm) => crm.imports.getPackage(id))
        show(context, { ...state, files: state.files.length })
      }),
    )
}

export const deletePackage: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'delete-package',
    description: 'Delete the files of a package. Imported records stay.',
    examples: ['crm imports delete-package int_01J8ZQ4W7N --yes'],
  })
    .argument(...integration)
    .addOption(yesOption())
    .action((id, { yes }, self) =>
      runAction(self, async (context) => {
        await assertConfirmed(context, {
          question: `Delete the files of the package of ${cleanLine(id)}?`,
          refusal: 'Nothing was deleted.',
          yes: yes as true | undefined,
        })
        const { call } = await openClient(context)
        await call((crm) => crm.imports.deletePackage(id))
        context.output.say('Deleted the package.')
      }),
    )
}

/** A row of the file, which the contract describes with the download. */
interface CountSheetRow {
  readonly kind: string
  readonly month: string | null
  readonly source: number | null
  readonly package: number
  readonly here: number
  readonly differences: readonly { readonly id: string | null; readonly code: string }[]
}

const sheetColumns: readonly Column<CountSheetRow>[] = [
  { title: 'Kind', value: (row) => row.kind, isMain: true },
  { title: 'Month', value: (row) => row.month },
  { title: 'At the source', value: (row) => row.source, textForPeople: (row) => row.source ?? 'unknown' },
  { title: 'In the package', value: (row) => row.package },
  {
    title: 'Here',
    value: (row) => row.here,
    tone: (row) => (row.here === row.package ? undefined : 'attention'),
  },
  {
    title: 'Differences',
    value: (row) => row.differences.map(({ id, code }) => (id === null ? code : `${id} ${code}`)),
    isFlexible: true,
  },
]

export const showCountSheet: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'count-sheet',
    description: 'Show the records at the source, in the package and here, by kind and month.',
    notes: 'The person who signs the move keeps it: --csv writes it as a file.',
    examples: [
      'crm imports count-sheet int_01J8ZQ4W8P',
      'crm imports count-sheet int_01J8ZQ4W8P --csv > counts.csv',
    ],
  })
    .argument(...integration)
    .argument('[run]', 'the id of the import; default: the latest')
    .addOption(new Option('--csv', 'write it to stdout as comma-separated values, with a line of titles'))
    .action((id, run, { csv }, self) =>
      runAction(self, (context) => (csv ? writeSheet(context, id, run) : printSheet(context, id, run))),
    )
}

async function writeSheet(context: Context, id: string, run: string | undefined): Promise<void> {
  if (context.output.json) throw usageError('Use either --csv or --json.')
  // External text could contain escape sequences that control the terminal.
  if (context.output.isTerminal) throw usageError('A terminal cannot show the file: redirect stdout.')
  await pipeline(wholeOf(await openSheet(context, { id, run, format: 'csv' })), process.stdout)
}

async function printSheet(context: Context, id: string, run: string | undefined): Promise<void> {
  const { output } = context
  const file = await openSheet(context, { id, run, format: 'json' })
  const rows = (await file.json()) as CountSheetRow[]
  await printAll(output, { rows, columns: sheetColumns, quiet: ({ kind }) => kind })
  const open = rows.filter((row) => row.here !== row.package)
  output.say(open.length === 0 ? 'No differences.' : `Differences in ${counted(open.length, 'row')}.`)
}

interface SheetRef {
  readonly id: string
  readonly run: string | undefined
  readonly format: 'csv' | 'json'
}

async function openSheet(context: Context, { id, run, format }: SheetRef) {
  const client = await openClient(context)
  const runId = run ?? (await latestRunId(client, id))
  return client.call((crm) => crm.imports.countSheet(id, runId, { format }))
}

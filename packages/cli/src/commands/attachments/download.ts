import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { printRecord } from '../../output/print-record.ts'
import { assertMaySave, saveStream, wholeOf } from '../../output/save-stream.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { transferMs } from './upload-files.ts'

interface DownloadRequest {
  readonly id: string
  readonly file?: string | undefined
  readonly force?: boolean | undefined
}

export function defineDownloadAttachment(attachments: CommandUnknownOpts): void {
  attachments
    .command('download')
    .argument('<id>', 'the id of the file, from its message')
    .argument(
      '[file]',
      'the target: a file name, a folder, or - for stdout; default: its own name in this folder',
    )
    .summary('Save a file of a message')
    .description('Save a file of a message. No file is overwritten without --force.')
    .option('--force', 'overwrite the file')
    .addHelpText(
      'after',
      examples(
        'crm attachments download att_01J8ZQ4W7N',
        'crm attachments download att_01J8ZQ4W7N copy.png --force',
        'crm attachments download att_01J8ZQ4W7N - > copy.png',
      ),
    )
    .action((id, file, { force }, self) =>
      runAction(self, (context) => download(context, { id, file, force })),
    )
}

interface Saved {
  readonly _id: string
  readonly file: string
  readonly contentType: string
  readonly size: number
}

const savedColumns: readonly Column<Saved>[] = [
  { title: 'File', value: (row) => row.file, isFlexible: true },
  { title: 'Type', value: (row) => row.contentType },
  { title: 'Bytes', value: (row) => row.size },
]

async function download(context: Context, { id, file, force = false }: DownloadRequest): Promise<void> {
  const { output } = context
  const isPiped = file === '-'
  // An external file could contain escape sequences that control the terminal.
  if (isPiped && output.isTerminal) throw usageError('A terminal cannot show a file: redirect stdout.')
  const isFolder = file !== undefined && !isPiped && (await stat(file).catch(() => undefined))?.isDirectory()
  const given = file === undefined || isFolder ? undefined : file
  if (given !== undefined && !isPiped) assertMaySave({ path: given, mayReplace: force })
  const client = await openClient(context)
  const response = await client.call((crm) =>
    crm.attachments.get(id, { timeout: transferMs, deadline: transferMs }),
  )
  const bytes = wholeOf(response)
  if (isPiped) {
    await pipeline(bytes, process.stdout)
    return
  }
  const path = given ?? join(isFolder ? file : '.', await ownName(response))
  const size = await saveStream({ path, mayReplace: force }, bytes)
  output.say(`Saved ${cleanLine(path)}.`)
  const contentType = response.headers.get('content-type') ?? ''
  printRecord(output, { row: { _id: id, file: path, contentType, size }, columns: savedColumns, quiet: path })
}

/** Makes the file name safe again, although the server does: the name is external data. */
async function ownName({ headers }: Response): Promise<string> {
  const [{ parse }, { safeFilename }] = await Promise.all([
    import('content-disposition'),
    import('@crmkit/core/vocabulary'),
  ])
  const { filename = '' } = parse(headers.get('content-disposition') ?? '').parameters
  return safeFilename(filename)
}

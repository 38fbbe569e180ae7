import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { counted } from '../../output/plural.ts'
import { printAll } from '../../output/print-list.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { attachmentColumns } from './attachment-columns.ts'
import { assertReadable, uploadFiles } from './upload-files.ts'

export function defineUploadAttachments(attachments: CommandUnknownOpts): void {
  attachments
    .command('upload')
    .argument('<files...>', 'files of at most 10 MB each')
    .summary('Upload files for a later message')
    .description(
      'Upload files for a later message. A file without a message is deleted after a day. ' +
        '"crm conversations reply --attach FILE" uploads and sends in one step.',
    )
    .addHelpText(
      'after',
      examples('crm attachments upload photo.png', 'id=$(crm attachments upload photo.png --quiet)'),
    )
    .action((files: string[], _options, self) => runAction(self, (context) => upload(context, files)))
}

async function upload(context: Context, files: readonly string[]): Promise<void> {
  await assertReadable(files)
  const rows = await uploadFiles(await openClient(context), files)
  const { output } = context
  output.say(`Uploaded ${counted(rows.length, 'file')}.`)
  await printAll(output, { rows, columns: attachmentColumns, quiet: (row) => row._id })
}

import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineDownloadAttachment } from './download.ts'
import { defineUploadAttachments } from './upload.ts'

export function defineAttachments(attachments: CommandUnknownOpts): void {
  attachments.addHelpText(
    'after',
    `\nTo send files with a message: "crm conversations reply --attach FILE".\n${examples(
      'crm attachments download att_01J8ZQ4W7N',
    )}`,
  )
  defineUploadAttachments(attachments)
  defineDownloadAttachment(attachments)
}

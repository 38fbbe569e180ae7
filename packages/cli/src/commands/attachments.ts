import { defineDownloadAttachment } from './attachments/download.ts'
import { defineUploadAttachments } from './attachments/upload.ts'
import { defineNoun } from './factories/define-noun.ts'

export const defineAttachments = defineNoun({
  name: 'attachment',
  notes: 'To send files with a message, use "crm conversations reply --attach FILE".',
  examples: ['crm attachments download att_01J8ZQ4W7N'],
  commands: [defineUploadAttachments, defineDownloadAttachment],
})

import { charsetMails } from './charset-mails.ts'
import type { CorpusMail } from './corpus-mail.ts'
import { formMails } from './form-mails.ts'
import { layoutMails } from './layout-mails.ts'
import { machineMails } from './machine-mails.ts'
import { replyMails } from './reply-mails.ts'
import { reportMails } from './report-mails.ts'
import { tortureMails } from './torture-mails.ts'

/** Mails of all kinds, made for these tests. */
export const corpus: readonly CorpusMail[] = [
  ...charsetMails,
  ...replyMails,
  ...reportMails,
  ...machineMails,
  ...formMails,
  ...layoutMails,
  ...tortureMails,
]

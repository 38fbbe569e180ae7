import { domainOf } from '@crmkit/core'
import type MailComposer from 'nodemailer/lib/mail-composer'
import type { MailSettings, OutgoingMail } from '../../ports/mail-sender.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import { atFirstUse } from '../../shared/at-first-use.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import { senderOf } from '../addresses/reply-addresses.ts'
import { signerOf } from './sign-mail.ts'

const composer = atFirstUse<typeof MailComposer>('nodemailer/lib/mail-composer')

interface TestMail {
  inbox: InboxRecord
  mail: MailSettings
  secrets: SecretBox
  to: string
  now: string
  id: string
}

/** Returns a mail that is sent as a reply of the inbox is: from the same address, with the same signature. */
export function composeTestMail({
  inbox,
  mail,
  secrets,
  to,
  now,
  id,
}: TestMail): Omit<OutgoingMail, 'server'> {
  const { email } = inbox
  const from = senderOf({ email, relay: mail.relay })
  const sign = signerOf(secrets, { inbox, from })
  const test = new (composer())({
    disableFileAccess: true,
    disableUrlAccess: true,
    from: { address: from, name: email?.displayName ?? '' },
    to: { address: to, name: '' },
    subject: 'Test of an inbox',
    messageId: `<${id}@${domainOf(from)}>`,
    date: new Date(now),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    text: 'This mail shows that the inbox can send e-mail.',
  })
  return { envelope: { from, to: [to] }, content: () => sign(test.compile().createReadStream()) }
}

import { noEmailSettings } from '@crmkit/core'
import type { MailServer, MailSettings } from '../../ports/mail-sender.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import { openMailSecrets } from '../../shared/mail-secrets.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'

interface InboxMail {
  inbox: InboxRecord
  secrets: SecretBox
  mail: MailSettings
}

/** Returns the server that the mail of an inbox leaves by; undefined for none. */
export function serverOfInbox({ inbox, secrets, mail }: InboxMail): MailServer | undefined {
  const { transport, smtp } = inbox.email ?? noEmailSettings
  if (transport === 'relay') return mail.relay?.server
  if (transport !== 'smtp' || smtp === null) return undefined
  const { host, port, security, user } = smtp
  const password = openMailSecrets(secrets, inbox).smtpPassword ?? null
  return { host, port, security, user, password, isOperators: false }
}

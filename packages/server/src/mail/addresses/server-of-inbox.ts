import { noEmailSettings } from '@crmkit/core'
import type { MailServer, MailSettings } from '../../ports/mail-sender.ts'
import type { MailTokens } from '../../ports/mail-tokens.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import { openMailSecrets } from '../../shared/mail-secrets.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { TenantId } from '../../storage/records.ts'

interface InboxMail {
  tenantId: TenantId
  inbox: InboxRecord
  secrets: SecretBox
  mail: MailSettings
  mailTokens: MailTokens
}

/** Returns the server that the mail of an inbox leaves by; undefined for none. Throws a `MailboxFailure` of the sign-in. */
export async function serverOfInbox({
  tenantId,
  inbox,
  secrets,
  mail,
  mailTokens,
}: InboxMail): Promise<MailServer | undefined> {
  const { transport, smtp } = inbox.email ?? noEmailSettings
  if (transport === 'relay') return mail.relay?.server
  if (transport !== 'smtp' || smtp === null) return undefined
  const { host, port, security, user } = smtp
  const server = { host, port, security, user, isOperators: false }
  if (smtp.auth === 'oauth')
    return {
      ...server,
      ...mailTokens.placeOf('smtp'),
      password: null,
      accessToken: await mailTokens.of(tenantId, inbox),
    }
  return { ...server, password: openMailSecrets(secrets, inbox).smtpPassword ?? null }
}

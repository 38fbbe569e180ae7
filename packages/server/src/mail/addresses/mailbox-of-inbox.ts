import { createHash } from 'node:crypto'
import type { MailboxServer } from '../../ports/mail-source.ts'
import type { MailTokens } from '../../ports/mail-tokens.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import { openMailSecrets } from '../../shared/mail-secrets.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { TenantId } from '../../storage/records.ts'

interface MailboxParts {
  tenantId: TenantId
  secrets: SecretBox
  mailTokens: MailTokens
}

/**
 * Returns the mailbox that an inbox reads; undefined for none, or without its password. Throws a `MailboxFailure` of the
 * sign-in.
 */
export async function mailboxOfInbox(
  inbox: InboxRecord,
  { tenantId, secrets, mailTokens }: MailboxParts,
): Promise<MailboxServer | undefined> {
  const imap = inbox.email?.imap
  if (!imap) return undefined
  const { host, port, security, user, folder } = imap
  const server = { host, port, security, user, folder }
  if (imap.auth === 'oauth')
    return {
      ...server,
      ...mailTokens.placeOf('imap'),
      password: null,
      accessToken: await mailTokens.of(tenantId, inbox),
    }
  const password = openMailSecrets(secrets, inbox).imapPassword
  return password === undefined ? undefined : { ...server, password }
}

/** Names a mailbox and the start of its reading; another one has a cursor of its own. */
export function mailboxKey({ email }: InboxRecord): string {
  const { host, user, folder, since } = email?.imap ?? {}
  return createHash('sha256')
    .update(JSON.stringify([host, user, folder, since]))
    .digest('hex')
}

import { createHash } from 'node:crypto'
import type { MailboxServer } from '../../ports/mail-source.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import { openMailSecrets } from '../../shared/mail-secrets.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'

/** Returns the mailbox that an inbox reads; undefined for none, or without its password. */
export function mailboxOfInbox(inbox: InboxRecord, secrets: SecretBox): MailboxServer | undefined {
  const imap = inbox.email?.imap
  const password = imap ? openMailSecrets(secrets, inbox).imapPassword : undefined
  if (!imap || password === undefined) return undefined
  const { host, port, security, user, folder } = imap
  return { host, port, security, user, password, folder }
}

/** Changes with every setting for which the connection has to be made anew. */
export function settingsOfMailbox({ email, mailSecrets }: InboxRecord): string {
  const { status: _status, ...imap } = email?.imap ?? { status: null }
  return JSON.stringify([imap, mailSecrets])
}

/** Names a mailbox and the start of its reading; another one has a cursor of its own. */
export function mailboxKey({ email }: InboxRecord): string {
  const { host, user, folder, since } = email?.imap ?? {}
  return createHash('sha256')
    .update(JSON.stringify([host, user, folder, since]))
    .digest('hex')
}

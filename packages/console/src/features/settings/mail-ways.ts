import type { Inbox } from '@crmkit/sdk'
import { more } from '../../strings/more.ts'
import { wordOf } from '../../strings/word-of.ts'

type Email = Inbox['email']
type Status = NonNullable<Email['smtp']>['status'] | NonNullable<Email['imap']>['status']

/** By which way mail comes into an inbox, and whether that works. */
export function receivingOf({ imap, inboundTokenPrefix }: Email): string {
  const texts = more.inboxes
  if (imap?.enabled) return withState(texts.mailbox(imap.user, imap.host), imap.status)
  if (inboundTokenPrefix !== null) return texts.forwarded
  return imap ? texts.mailboxOff(imap.user) : texts.nothingReceived
}

/** By which way replies leave an inbox, and whether that works. */
export function sendingOf({ transport, smtp }: Email): string {
  const texts = more.inboxes
  if (transport === 'smtp' && smtp !== null) return withState(texts.smtp(smtp.host), smtp.status)
  return wordOf(texts.transports, transport)
}

function withState(text: string, { ok, error, reauthRequired }: Status): string {
  const texts = more.inboxes
  if (reauthRequired) return texts.fails(text, texts.signInEnded)
  if (ok === null) return texts.untried(text)
  return ok ? texts.works(text) : texts.fails(text, error ?? '')
}

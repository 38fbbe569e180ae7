import { Readable } from 'node:stream'
import type { MailResult, OutgoingMail } from '../../ports/mail-sender.ts'
import type { MailboxFailure } from '../../ports/mail-source.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { MailJobParts } from './send-queued-mail.ts'

export type Prepared =
  | { mail: OutgoingMail; to: readonly string[]; inbox?: InboxRecord }
  /** Nothing can be sent at present, and this says why. */
  | { result: MailResult; to: readonly string[] }

export type PrepareParts = Pick<MailJobParts, 'storage' | 'attachments' | 'secrets' | 'mail' | 'mailTokens'>

export function signInFailed({ message, isSignInRefused }: MailboxFailure): MailResult {
  return { ...unreachable(message), ...(isSignInRefused && { outcome: 'refused_sign_in' as const }) }
}

/** The result of an attempt that could not begin, and the reason. */
export function unreachable(response: string): MailResult {
  return { outcome: 'unreachable', code: null, response, recipients: [], host: '', durationMs: 0 }
}

/** Opens the bytes when they are read. */
export function lazily(open: () => Promise<Readable | undefined>, id: string): Readable {
  async function* read() {
    const bytes = await open()
    if (bytes === undefined) throw new Error(`The bytes of the attachment ${id} are missing`)
    yield* bytes
  }
  return Readable.from(read(), { objectMode: false })
}

import type { InboxRecord } from '../storage/kinds/inboxes.ts'
import type { TenantId } from '../storage/records.ts'

/** Access tokens for mailboxes that people have signed in to. */
export interface MailTokens {
  /** Returns where the servers of all providers are instead, for an emulator; undefined: at their own names. */
  placeOf(server: 'imap' | 'smtp'): { host: string; port: number } | undefined
  /** Throws a `MailboxFailure` with a sentence for a person; `isSignInRefused`: a person has to sign in again. */
  of(tenantId: TenantId, inbox: InboxRecord): Promise<string>
  /** A server has refused the token before its end: the next one is asked for. */
  forget(inbox: InboxRecord): void
}

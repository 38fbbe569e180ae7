import type { ProbedStep } from './mail-sender.ts'

/** Reads mail in mailboxes of other servers, and changes nothing there: no flag, no folder. */
export interface MailSource {
  /** Signs in and opens the folder for reading alone. Rejects with `MailboxFailure`. */
  open(server: MailboxServer): Promise<OpenMailbox>
  /** Tries a server step by step, up to the first step that fails. Never rejects. */
  probe(server: MailboxServer): Promise<ProbedStep[]>
}

export interface MailboxServer {
  host: string
  port: number
  /** `starttls` is required and never opportunistic. */
  security: 'tls' | 'starttls'
  user: string
  /** Null with an access token. */
  password: string | null
  /** Of OAuth 2, for a user who has signed in at the provider. */
  accessToken?: string
  folder: string
}

/** An open folder. Every method rejects with `MailboxFailure` when the connection ends or the server refuses. */
export interface OpenMailbox {
  /** While it stays the same, a UID means the same mail. A decimal number. */
  readonly uidValidity: string
  /** The UID of the next mail is at least this one. */
  readonly uidNext: number
  /**
   * Lists mails with a UID above `after`, lowest first, at most `limit`; `since` lets the server leave out mail of the
   * days before it.
   */
  list(query: { after: number; since?: string | undefined; limit: number }): Promise<ListedMail[]>
  /** Reads the bytes of a mail, at most `bytesMax` of them, as they are asked for. Rejects with `MailDeleted`. */
  read(mail: ListedMail, bytesMax: number): AsyncIterable<Uint8Array>
  /** Returns the header of a mail; undefined when it was deleted. */
  readHeader(uid: number): Promise<Uint8Array | undefined>
  /** Resolves when the server reports a new mail, when the connection ends, or after `ms`. */
  waitForMail(ms: number): Promise<void>
  /** Ends the connection. Everything that is under way rejects. */
  close(): void
}

export interface ListedMail {
  uid: number
  sizeBytes: number
  /** When the server received it; undefined when it does not say. */
  receivedAt: string | undefined
}

/** The mail was deleted before it was read. */
export class MailDeleted extends Error {
  override readonly name = 'MailDeleted'
}

/** The message is one sentence that a person can act on, without any secret. */
export class MailboxFailure extends Error {
  override readonly name = 'MailboxFailure'
  /** The server refuses the user or the password: to ask it again soon could lock the account. */
  readonly isSignInRefused: boolean

  constructor(message: string, { isSignInRefused = false } = {}) {
    super(message)
    this.isSignInRefused = isSignInRefused
  }
}

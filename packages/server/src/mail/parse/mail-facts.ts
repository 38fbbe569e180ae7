/** An address in lower case with the name beside it. */
export interface MailAddress {
  address: string
  name: string | null
}

/** A file of a mail. Its bytes stay in the parser until they are asked for. */
export interface MailFile {
  filename: string | null
  contentType: string
  size: number
  /** The id by which the mail's HTML names it, without its brackets; null: none. */
  contentId: string | null
  /** Whether the content shows it as an image. */
  isInline: boolean
  /** The SHA-256 of its bytes, in hex. */
  sha256: string
}

/** One recipient of a delivery status notification. */
export interface BouncedRecipient {
  address: string
  /** The address that the mail was sent to, where the one above is that of a mailbox behind it; null: not named. */
  originalAddress: string | null
  action: string
  /** A code such as `5.1.1`; null: none. */
  status: string | null
  text: string | null
}

/** A report about a mail that was not, or not yet, delivered, or that its reader has complained about. */
export interface BounceFacts {
  /** `text`: a mail system has written sentences, which anybody can write. */
  form: 'report' | 'text' | 'complaint'
  recipients: BouncedRecipient[]
  /** The Message-ID in the returned headers, without its brackets; null: none. */
  returnedMessageId: string | null
}

/** Everything that the service reads out of a mail. Nothing in it is verified. */
export interface MailFacts {
  /** All addresses of all From headers: a mail with several is no proof of any. */
  from: MailAddress[]
  /** Addresses of X-Original-From and X-Original-Sender, by which a group names the person who wrote. */
  originalFrom: MailAddress[]
  replyTo: MailAddress[]
  /** Sender of the mail that this one forwards; null: it forwards none. */
  forwardedFrom: (MailAddress & { date: string | null }) | null
  to: MailAddress[]
  cc: MailAddress[]
  /** Addresses of Delivered-To and X-Original-To. */
  deliveredTo: string[]
  subject: string
  /** Message-IDs, without their brackets. */
  messageId: string | null
  inReplyTo: string[]
  references: string[]
  /** ISO 8601; null: none that can be read. */
  date: string | null
  dateText: string
  /** Sent by a machine or a list: Auto-Submitted, Precedence or List-Id. */
  automated: boolean
  /** The sender asks for no automatic reply. */
  noAutoReply: boolean
  /** Values of X-Loop. */
  loopMarks: string[]
  /** The topmost Authentication-Results; null: none. */
  authenticationResults: string | null
  bounce: BounceFacts | null
  content: string
  contentType: 'text' | 'html'
  /** Whether `content` is only the beginning. */
  truncated: boolean
  files: MailFile[]
}

import type { Mailbox, MessageEmail } from '../messages/message-email.ts'

export const inboundMailStatuses = ['received', 'processed', 'parked', 'ignored'] as const
export type InboundMailStatus = (typeof inboundMailStatuses)[number]

export const mailDoors = ['http', 'smtp', 'imap'] as const

export const inboundMailReasons = [
  'duplicate',
  'discarded',
  'loop',
  'bounce',
  'bounce_unknown',
  'blocked',
  'no_sender',
  'parse_failed',
  'too_complex',
  'parse_timeout',
  'inbox_inactive',
  'inbox_deleted',
  'too_large',
  'fetch_failed',
  'internal',
] as const
export type InboundMailReason = (typeof inboundMailReasons)[number]

/** An ignored mail that claims to be a stored one needs a person for as many days. */
export const duplicateNeedsYouDays = 7
/** A mail may have as many bytes, as it arrives. */
export const mailBytesMax = 30 * 1024 * 1024
/** The bytes of a mail are stored for as many days. */
export const mailRawDays = 90
/** Stands in mails for the address of an erased person. No mail can be sent to it. */
export const erasedAddress = 'erased@erased.invalid'

/** Returns the addresses for replies of a mail, of which rows of earlier versions have the first alone. */
export function replyAddressesOf({
  replyTo,
  replyToList,
}: Pick<MessageEmail, 'replyTo'> & Partial<Pick<MessageEmail, 'replyToList'>>): Mailbox[] {
  return replyToList ?? (replyTo === null ? [] : [{ address: replyTo, name: null }])
}

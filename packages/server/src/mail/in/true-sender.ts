import { normalizeEmail } from '@crmkit/core'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { MailTags } from '../addresses/mail-tags.ts'
import type { MailAddress, MailFacts } from '../parse/mail-facts.ts'

export interface MailSenderFacts {
  from: MailAddress
  verified: boolean | null
  /** The mail names nobody but the inbox itself, so it has no customer. */
  isOwnAddress: boolean
}

interface Inbox {
  tags: MailTags | undefined
  inbox: InboxRecord
}

/**
 * Returns whether a mail is one that the inbox itself has sent: it brings back what only this tenant can sign. Its address
 * proves nothing, because groups, forms of websites and forwarded mail carry it too.
 */
export function isOwnMail({ loopMarks, messageId, from }: MailFacts, { tags, inbox }: Inbox): boolean {
  if (tags === undefined) return false
  if (loopMarks.includes(tags.loopMark(inbox._id))) return true
  const isOwnAddress = from.some(({ address }) => address === addressOf(inbox))
  const tag = messageId?.slice(0, messageId.lastIndexOf('@'))
  return isOwnAddress && tag !== undefined && tags.messageOf(tag) !== undefined
}

function addressOf({ email }: InboxRecord): string | undefined {
  const address = email?.address ?? null
  return address === null ? undefined : normalizeEmail(address)
}

interface Named extends Pick<MailSenderFacts, 'from' | 'verified'> {
  facts: MailFacts
  inbox: InboxRecord
  /** Addresses at which the tenant receives mail. */
  own: readonly string[]
}

/**
 * Returns who has written a mail. Where From is the inbox's own address, a group or a form has put it there and names the
 * person elsewhere, as do the senders in `replyToSenders`; nobody has verified that name.
 */
export function senderOf({ facts, from, verified, inbox, own }: Named): MailSenderFacts {
  const ownAddresses = new Set(own.map(normalizeEmail))
  if (from.address !== addressOf(inbox)) {
    const named = isReplyToSender(inbox, from.address)
      ? facts.replyTo.find(({ address }) => !ownAddresses.has(address))
      : undefined
    const sender = named ? { from: named, verified: notProven(verified) } : { from, verified }
    return { ...sender, isOwnAddress: false }
  }
  const person = [...facts.originalFrom, ...facts.replyTo].find(({ address }) => !ownAddresses.has(address))
  return person
    ? { from: person, verified: notProven(verified), isOwnAddress: false }
    : { from, verified, isOwnAddress: true }
}

/** Returns whether mail of this address is from whom its Reply-To names, as the inbox says. */
function isReplyToSender({ email }: InboxRecord, address: string): boolean {
  const senders: readonly string[] = email?.replyToSenders ?? []
  return senders.includes(address) || senders.includes(address.slice(address.lastIndexOf('@')))
}

/** A verified address in From says nothing good about another sender. */
export function notProven(verified: boolean | null): false | null {
  return verified === false ? false : null
}

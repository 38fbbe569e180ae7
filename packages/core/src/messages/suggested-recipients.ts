import type { MailParticipant } from '../conversations/conversation.ts'
import type { OfferedRecipient, SuggestedRecipient } from '../conversations/reply-recipients.ts'
import { erasedAddress, replyAddressesOf } from '../mails/mail-values.ts'
import { normalizeEmail, splitEmail } from '../shared/fold.ts'
import type { Mailbox, MessageEmail } from './message-email.ts'
import type { StoredMessage } from './message-rules.ts'

export interface AnsweredThread {
  customerEmail: string | null
  /** When the customer was made; null without one. */
  customerSince: string | null
  /** Senders who were added to the conversation by a mail of theirs. */
  participants: readonly MailParticipant[]
  /** Messages of the conversation, the newest first. */
  history: readonly StoredMessage[]
  /** Addresses of the service itself, which get no copy. */
  ownAddresses: readonly string[]
}

export interface SuggestedRecipients {
  to: SuggestedRecipient[]
  cc: SuggestedRecipient[]
  /** Addresses that an agent may add, and that get nothing by themselves. */
  offered: OfferedRecipient[]
}

type Offer = Mailbox & Pick<OfferedRecipient, 'kind' | 'reason'>
type InboundMail = StoredMessage & { email: MessageEmail & { from: Mailbox } }

/**
 * Returns the recipients of a reply that names none. Anybody can write any address into the headers of a mail: an address
 * that only an unverified mail names is offered to the agent, and gets nothing by itself.
 */
export function suggestRecipients(thread: AnsweredThread): SuggestedRecipients {
  const own = new Set(thread.ownAddresses.map(withoutTag))
  const isOther = ({ address }: Mailbox) => address !== erasedAddress && !own.has(withoutTag(address))
  const last = lastMailOfParticipant(thread)
  const { answered, replyTo } = last === undefined ? answerOfCustomer(thread) : answerOf(last)
  const copies = last === undefined ? [] : [...last.email.to, ...last.email.cc].filter(isOther)
  const isFilled = last === undefined ? () => false : copyRule(last, thread)
  const offers: Offer[] = [
    ...replyTo.map((mailbox): Offer => ({ ...mailbox, kind: 'to', reason: 'reply_to' })),
    ...strangerOf(thread, last).map((one): Offer => ({ ...one, kind: 'to', reason: 'unverified_sender' })),
    ...copies.filter((one) => !isFilled(one)).map((one): Offer => ({ ...one, kind: 'cc', reason: 'copy' })),
  ]
  const once = onlyOnce()
  const shown = shownIn(thread)
  return {
    to: answered.filter(isOther).filter(once).map(shown),
    cc: copies.filter(isFilled).filter(once).map(shown),
    offered: offers.filter(isOther).filter(once),
  }
}

function answerOfCustomer({ customerEmail }: AnsweredThread) {
  return { answered: customerEmail === null ? [] : [{ address: customerEmail, name: null }], replyTo: [] }
}

/** Reply-To is believed of a verified sender, and within the domain of the sender: else From is answered. */
function answerOf({ email }: InboundMail): { answered: Mailbox[]; replyTo: Mailbox[] } {
  const { from, verified } = email
  const others = replyAddressesOf(email).map(({ address, name }) => {
    const isSender = normalizeEmail(address) === normalizeEmail(from.address)
    return { address, name: isSender ? from.name : name }
  })
  if (others.length === 0) return { answered: [from], replyTo: [] }
  const domain = domainPart(from.address)
  const isBelieved = verified === true || others.every(({ address }) => domainPart(address) === domain)
  return isBelieved ? { answered: others, replyTo: [] } : { answered: [from], replyTo: others }
}

/** The sender of the newest mail, where nobody has verified them and the reply goes to somebody else. */
function strangerOf({ history }: AnsweredThread, last: InboundMail | undefined): Mailbox[] {
  const newest = history.find(isInboundMail)
  return newest === undefined || newest === last || newest.email.verified === true ? [] : [newest.email.from]
}

/**
 * Returns whether a copy of a mail is filled in: all of a proven sender, and of the mail that made the customer, because a
 * reply to it holds nothing of anybody else; else the addresses that wrote in this conversation or were written to.
 */
function copyRule(last: InboundMail, thread: AnsweredThread): (copy: Mailbox) => boolean {
  const { verified } = last.email
  const isOfMaking = verified !== false && last.createdAt === thread.customerSince
  if (verified === true || isOfMaking || isProven(last, thread)) return () => true
  const known = writtenTo(thread)
  for (const message of thread.history)
    if (isInboundMail(message) && message.email.verified !== false)
      known.add(normalizeEmail(message.email.from.address))
  return ({ address }) => known.has(normalizeEmail(address))
}

/** A sender who knows our Message-ID or the signed address of a reply has got a mail of this conversation. */
function isProven({ email }: InboundMail, { history, ownAddresses }: AnsweredThread): boolean {
  const own = new Set(ownAddresses.map(normalizeEmail))
  const named = new Set([...email.to, ...email.cc].map(({ address }) => normalizeEmail(address)))
  return history.some((message) => {
    if (message.direction !== 'outbound' || !message.email) return false
    const { messageId, replyTo } = message.email
    if (messageId !== null && messageId === email.inReplyTo) return true
    const signed = replyTo === null ? null : normalizeEmail(replyTo)
    return signed !== null && !own.has(signed) && named.has(signed)
  })
}

/**
 * Returns the last mail of someone who took part when it arrived, and whose address is not forged. A participant takes part
 * only with a verified address: else a stranger who writes twice would get the replies.
 */
function lastMailOfParticipant(thread: AnsweredThread): InboundMail | undefined {
  const { customerEmail, participants, history } = thread
  const known = writtenTo(thread)
  if (customerEmail !== null) known.add(normalizeEmail(customerEmail))
  const joinedAt = new Map(
    participants
      .filter(({ verified }) => verified === true)
      .map(({ address, addedAt }) => [normalizeEmail(address), addedAt]),
  )
  return history.filter(isInboundMail).find(({ email, createdAt }) => {
    if (email.verified === false) return false
    const from = normalizeEmail(email.from.address)
    // The mail that made its sender a participant is the mail of a stranger.
    return known.has(from) || (joinedAt.get(from) ?? createdAt) < createdAt
  })
}

function writtenTo({ history }: AnsweredThread): Set<string> {
  const sent = history.flatMap(({ direction, email }) => (direction === 'outbound' && email ? [email] : []))
  return new Set(sent.flatMap(({ to, cc }) => [...to, ...cc]).map(({ address }) => normalizeEmail(address)))
}

function isInboundMail(message: StoredMessage): message is InboundMail {
  return message.direction === 'inbound' && (message.email?.from ?? null) !== null
}

/** Returns an entry as it is shown, with what the conversation says about its address. */
function shownIn({ customerEmail, history }: AnsweredThread): (mailbox: Mailbox) => SuggestedRecipient {
  const customer = customerEmail === null ? null : normalizeEmail(customerEmail)
  const mails = history.filter(isInboundMail)
  return ({ address, name }) => {
    const key = normalizeEmail(address)
    const written = mails.find(({ email }) => normalizeEmail(email.from.address) === key)
    return { address, name, verified: written?.email.verified ?? null, isCustomers: key === customer }
  }
}

function onlyOnce(): (mailbox: Mailbox) => boolean {
  const taken = new Set<string>()
  return ({ address }) => {
    const key = normalizeEmail(address)
    return !taken.has(key) && taken.add(key).has(key)
  }
}

function domainPart(address: string): string {
  const normal = normalizeEmail(address)
  return splitEmail(normal)?.domain ?? normal
}

/** A signed address of ours has a tag behind the plus. */
function withoutTag(address: string): string {
  // bounded: an address has 254 characters.
  return normalizeEmail(address).replace(/\+[^@]*@/, '@')
}

import type { MailParticipant } from '../conversations/conversation.ts'
import { normalizeEmail } from '../shared/fold.ts'
import type { Mailbox, MessageRecipient } from './message-email.ts'
import type { StoredMessage } from './message-rules.ts'

export interface AnsweredThread {
  customerEmail: string | null
  /** Senders who were added to the conversation by a mail of theirs. */
  participants: readonly MailParticipant[]
  /** Messages of the conversation, the newest first. */
  history: readonly StoredMessage[]
  /** Addresses of the service itself, which get no copy. */
  ownAddresses: readonly string[]
}

export interface NamedRecipients {
  to?: readonly string[] | null | undefined
  cc?: readonly string[] | null | undefined
  bcc?: readonly string[] | null | undefined
}

export interface ChosenRecipients {
  to: Mailbox[]
  cc: Mailbox[]
  bcc: Mailbox[]
}

/**
 * Returns the recipients of a reply: those that the agent names, else everyone of the last mail of someone who takes
 * part. A stranger who wrote last gets a reply only when an agent names them.
 */
export function chooseRecipients(named: NamedRecipients, thread: AnsweredThread): ChosenRecipients {
  const own = new Set(thread.ownAddresses.map(withoutTag))
  const isOther = ({ address }: Mailbox) => !own.has(withoutTag(address))
  const last = lastMailOfParticipant(thread)?.email ?? null
  const customer = thread.customerEmail === null ? [] : [mailboxOf(thread.customerEmail)]
  const sender = last?.from ? [{ ...last.from, address: last.replyTo ?? last.from.address }] : customer
  const to = named.to?.map(mailboxOf) ?? sender.filter(isOther)
  const everyone = named.to ? [] : [...(last?.to ?? []), ...(last?.cc ?? [])].filter(isOther)
  const cc = named.cc?.map(mailboxOf) ?? everyone
  const taken = new Set<string>()
  const once = (list: Mailbox[]) =>
    list.filter(({ address }) => {
      const key = normalizeEmail(address)
      return !taken.has(key) && taken.add(key)
    })
  return { to: once(to), cc: once(cc), bcc: once((named.bcc ?? []).map(mailboxOf)) }
}

/**
 * Returns the last mail of someone who took part when it arrived, and whose address is not forged. A participant takes part
 * only with a verified address: else a stranger who writes twice would get the replies.
 */
function lastMailOfParticipant({ customerEmail, participants, history }: AnsweredThread) {
  const known = new Set(customerEmail === null ? [] : [normalizeEmail(customerEmail)])
  for (const { direction, email } of history) {
    if (direction !== 'outbound') continue
    for (const { address } of [...(email?.to ?? []), ...(email?.cc ?? [])]) known.add(normalizeEmail(address))
  }
  const joinedAt = new Map(
    participants
      .filter(({ verified }) => verified === true)
      .map(({ address, addedAt }) => [normalizeEmail(address), addedAt]),
  )
  return history.find(({ direction, email, createdAt }) => {
    if (direction !== 'inbound' || !email?.from || email.verified === false) return false
    const from = normalizeEmail(email.from.address)
    // The mail that made its sender a participant is the mail of a stranger.
    return known.has(from) || (joinedAt.get(from) ?? createdAt) < createdAt
  })
}

function mailboxOf(address: string): Mailbox {
  return { address, name: null }
}

/** A signed address of ours has a tag behind the plus. */
function withoutTag(address: string): string {
  // bounded: an address has 254 characters.
  return normalizeEmail(address).replace(/\+[^@]*@/, '@')
}

/**
 * Returns the recipients with their progress, in the order of the headers. No mail is sent to a suppressed address; each is
 * given in its normal form.
 */
export function queuedRecipients(
  { to, cc, bcc }: ChosenRecipients,
  suppressed: ReadonlySet<string> = new Set(),
): MessageRecipient[] {
  const of =
    (kind: MessageRecipient['kind']) =>
    ({ address }: Mailbox): MessageRecipient => {
      const status = suppressed.has(normalizeEmail(address)) ? 'suppressed' : 'queued'
      return { address, kind, status, code: null, text: null }
    }
  return [...to.map(of('to')), ...cc.map(of('cc')), ...bcc.map(of('bcc'))]
}

/** A message with recipients is queued while one of them is, then sent if one got it, else failed. */
export function statusOfRecipients(recipients: readonly MessageRecipient[]): 'queued' | 'sent' | 'failed' {
  if (recipients.some(({ status }) => status === 'queued')) return 'queued'
  return recipients.some(({ status }) => status === 'sent') ? 'sent' : 'failed'
}

/** Returns the subject of a reply. */
export function replySubject(subject: string | null): string {
  if (subject === null) return 'Re: your message'
  return /^re\s*:/i.test(subject) ? subject : `Re: ${subject}`
}

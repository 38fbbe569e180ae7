import { normalizeEmail } from '../shared/fold.ts'
import type { Mailbox, MessageRecipient } from './message-email.ts'
import { type AnsweredThread, suggestRecipients } from './suggested-recipients.ts'

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

/** Returns the recipients of a reply: those that the agent names, else the suggested ones. */
export function chooseRecipients(named: NamedRecipients, thread: AnsweredThread): ChosenRecipients {
  const suggested = suggestRecipients(thread)
  const to = named.to?.map(mailboxOf) ?? suggested.to.map(bare)
  const cc = named.cc?.map(mailboxOf) ?? (named.to ? [] : suggested.cc.map(bare))
  const taken = new Set<string>()
  const once = (list: Mailbox[]) =>
    list.filter(({ address }) => {
      const key = normalizeEmail(address)
      return !taken.has(key) && taken.add(key)
    })
  return { to: once(to), cc: once(cc), bcc: once((named.bcc ?? []).map(mailboxOf)) }
}

function mailboxOf(address: string): Mailbox {
  return { address, name: null }
}

function bare({ address, name }: Mailbox): Mailbox {
  return { address, name }
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
      return { address, kind, status, code: null, text: null, bouncedAt: null, complainedAt: null }
    }
  return [...to.map(of('to')), ...cc.map(of('cc')), ...bcc.map(of('bcc'))]
}

/** A message with recipients is queued while one of them is, then as far as it came to one of them, else failed. */
export function statusOfRecipients(
  recipients: readonly Pick<MessageRecipient, 'status'>[],
): 'queued' | 'sent' | 'delivered' | 'failed' {
  const furthest = (['queued', 'delivered', 'sent'] as const).find((known) =>
    recipients.some(({ status }) => status === known),
  )
  return furthest ?? 'failed'
}

/** Returns the subject of a reply. */
export function replySubject(subject: string | null): string {
  if (subject === null) return 'Re: your message'
  return /^re\s*:/i.test(subject) ? subject : `Re: ${subject}`
}

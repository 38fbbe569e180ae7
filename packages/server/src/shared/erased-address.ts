import {
  erasedAddress,
  type MailAttempt,
  type Mailbox,
  type MailParticipant,
  normalizeEmail,
  replyAddressesOf,
  type StoredDraft,
  type StoredMessage,
} from '@crmkit/core'
import type { TenantReads } from '../ports/storage.ts'
import { type InboundMailRecord, unlinkedSenderOf } from '../storage/kinds/inbound-mails.ts'
import { addressesOfMail } from '../storage/rules/address-uses.ts'
import { type AddressReads, peopleOfAddress } from './people-of-address.ts'

/** Erasures of one address that are under way at once; further ones say nothing new. */
const tasksMax = 20

/**
 * Returns whether the address has a living customer who was made before an erasure was requested: then what it sent may be
 * theirs, and stays.
 */
export async function hasOlderHolder(
  read: AddressReads,
  address: string,
  requestedAt: string,
): Promise<boolean> {
  const { current } = await peopleOfAddress(read, address)
  return current.some(({ createdAt }) => createdAt < requestedAt)
}

type ErasureReads = AddressReads & Pick<TenantReads, 'tasks'>

/** Returns whether a mail of this address counts as deleted, because it arrived before the erasure of its sender. */
export async function isErasedSender(
  store: ErasureReads,
  { address, receivedAt }: { address: string; receivedAt: string },
): Promise<boolean> {
  const { rows } = await store.tasks.listRows({ erasedAddress: address, page: 1, limit: tasksMax })
  for (const { requestedAt } of rows)
    if (receivedAt <= requestedAt && !(await hasOlderHolder(store, address, requestedAt))) return true
  return false
}

/** Returns a mail that no erasure of its sender hides; undefined for any other one. */
export async function findMail(store: ErasureReads & Pick<TenantReads, 'inboundMails'>, id: string) {
  const row = await store.inboundMails.find(id)
  return row === undefined || (await isErasedMail(store, row)) ? undefined : row
}

export async function isErasedMail(store: ErasureReads, mail: InboundMailRecord): Promise<boolean> {
  const address = unlinkedSenderOf(mail)
  return address !== null && isErasedSender(store, { address, receivedAt: mail.receivedAt })
}

const isAddress = (address: string) => (other: string) => normalizeEmail(other) === address

/** Returns whether the address sent a message whose author is no customer. */
export function isStrangers({ direction, sender, email }: StoredMessage, address: string): boolean {
  const isNobodys = direction === 'inbound' && sender.type === 'customer' && sender._id === null
  return isNobodys && isAddress(address)(email?.from?.address ?? '')
}

/** Returns whether a mail names the address, also as a recipient of an attempt. */
export function namesAddress(message: StoredMessage, address: string): boolean {
  const recipients = (message.recipients ?? []).map((recipient) => recipient.address)
  const from = message.email?.from?.address ?? ''
  return [from, ...addressesOfMail(message), ...recipients].some(isAddress(address))
}

/** Returns the fields of a message that named an address, without it. */
export function messageWithout(
  { email, recipients = [] }: StoredMessage,
  address: string,
): Pick<StoredMessage, 'email' | 'recipients'> {
  const isErased = isAddress(address)
  const blank = (mailbox: Mailbox): Mailbox =>
    isErased(mailbox.address) ? { address: erasedAddress, name: null } : mailbox
  return {
    ...(email && {
      email: {
        ...email,
        from: email.from && blank(email.from),
        replyTo: email.replyTo !== null && isErased(email.replyTo) ? null : email.replyTo,
        replyToList: replyAddressesOf(email).filter((mailbox) => !isErased(mailbox.address)),
        forwardedFrom: isErased(email.forwardedFrom?.address ?? '') ? null : (email.forwardedFrom ?? null),
        to: email.to.map(blank),
        cc: email.cc.map(blank),
        bcc: email.bcc.map(blank),
      },
    }),
    recipients: recipients.map((recipient) => {
      if (!isErased(recipient.address)) return recipient
      const status = recipient.status === 'queued' ? 'failed' : recipient.status
      return { ...recipient, address: erasedAddress, status, text: null }
    }),
  }
}

/** Returns an attempt without the addresses of erased people, and without the sentence that may name them. */
export function attemptWithout(attempt: MailAttempt, isErased: (address: string) => boolean): MailAttempt {
  if (!attempt.recipients.some(isErased)) return attempt
  const recipients = attempt.recipients.map((address) => (isErased(address) ? erasedAddress : address))
  return { ...attempt, recipients, response: '' }
}

export function attemptsWithout(attempts: readonly MailAttempt[], address: string): MailAttempt[] {
  return attempts.map((attempt) => attemptWithout(attempt, isAddress(address)))
}

/** Returns the participants with nobody in the place of the erased one; undefined when the address took no part until then. */
export function participantsWithout(
  participants: readonly MailParticipant[],
  { address, until }: { address: string; until: string },
): { participants: MailParticipant[] } | undefined {
  const isNamed = isAddress(address)
  const isErased = (one: MailParticipant) => one.addedAt <= until && isNamed(one.address)
  if (!participants.some(isErased)) return undefined
  const left = participants.map((one) =>
    isErased(one) ? { ...one, address: erasedAddress, name: null, verified: false } : one,
  )
  return { participants: left }
}

type DraftRecipients = Pick<StoredDraft, 'to' | 'cc' | 'bcc' | 'basis'>

/** Returns the recipients of a draft without an address; undefined when it names it nowhere. */
export function draftWithout(draft: StoredDraft, address: string): DraftRecipients | undefined {
  const isErased = isAddress(address)
  const rest = (list: readonly string[]) => list.filter((one) => !isErased(one))
  const { basis = null } = draft
  const isBasis = isErased(basis?.customerEmail ?? '')
  const named = [...draft.to, ...draft.cc, ...draft.bcc].some(isErased)
  if (!named && !isBasis) return undefined
  return {
    to: rest(draft.to),
    cc: rest(draft.cc),
    bcc: rest(draft.bcc),
    basis: basis && isBasis ? { ...basis, customerEmail: null } : basis,
  }
}

import type { ReplyRecipients } from '@crmkit/sdk'
import { type Signal, signal } from '@preact/signals'
import type { Crm } from '../api/crm.ts'
import type { Conversations, Incoming } from './conversations.ts'
import type { Recipients as Addresses } from './draft.ts'

type Known<Entry> = readonly (Entry & { readonly address: string })[]

/** Every role may read customers, so no address is hidden from a person. */
export interface ShownRecipients extends Omit<ReplyRecipients, 'to' | 'cc' | 'offered'> {
  readonly to: Known<ReplyRecipients['to'][number]>
  readonly cc: Known<ReplyRecipients['cc'][number]>
  readonly offered: Known<ReplyRecipients['offered'][number]>
}

interface Entry {
  readonly found: Signal<ShownRecipients | undefined>
  /** The values by which the service has decided; undefined: nothing was read since the conversation was opened. */
  basis: string | undefined
  wasBegun: boolean
  /** Number of the newest request: the reply to an earlier one is left out. */
  reading: number
}

interface RecipientsParts {
  readonly crm: Crm
  readonly conversations: Conversations
  /** The recipients that stand beside the field, by the conversation. */
  readonly shown: Map<string, Addresses>
  readonly isBegun: (conversationId: string) => boolean
}

/**
 * How a reply leaves, and the recipients of one that names none, as they are shown and then sent. They come with the conversation.
 * Each message and each change of the customer may change them, so they are read again then; and when somebody begins to write to
 * a visitor, who may have come or gone since.
 */
export class Recipients {
  readonly #parts: RecipientsParts
  readonly #entries = new Map<string, Entry>()

  constructor(parts: RecipientsParts) {
    this.#parts = parts
  }

  at(conversationId: string): Signal<ShownRecipients | undefined> {
    return this.#entry(conversationId).found
  }

  /** The values that they depend on, as they are known now. A component that calls it follows the changes. */
  basisOf(conversationId: string): string {
    const { rows, customers } = this.#parts.conversations
    const row = rows.row(conversationId).value
    const customer = row?.customerId ? customers.row(row.customerId).value : undefined
    return row ? basisOf(row, customer ?? row.customerId) : ''
  }

  /** They are shown again when the conversation has come: those of an earlier look may be wrong. */
  forget(conversationId: string): void {
    const entry = this.#entry(conversationId)
    entry.basis = undefined
    entry.found.value = undefined
  }

  /** Begins to read them with the conversation. The returned function ends that: without a reply nothing was read. */
  begin(conversationId: string): (reply?: Incoming, recipients?: ReplyRecipients | null) => void {
    const entry = this.#entry(conversationId)
    entry.basis = undefined
    const reading = ++entry.reading
    return (reply, recipients) => {
      if (entry.reading !== reading || reply === undefined) return
      entry.basis = basisOf(reply, reply.customerId)
      entry.wasBegun = this.#parts.isBegun(conversationId)
      this.#take(conversationId, recipients ?? undefined)
      this.follow(conversationId)
    }
  }

  /** Reads them again when what they depend on has changed. */
  follow(conversationId: string): void {
    const entry = this.#entry(conversationId)
    const basis = this.basisOf(conversationId)
    const isBegun = this.#parts.isBegun(conversationId)
    const begins = isBegun && !entry.wasBegun && entry.found.peek()?.sendsMail === false
    if (entry.basis === undefined || (entry.basis === basis && !begins)) return
    entry.basis = basis
    entry.wasBegun = isBegun
    void this.#read(conversationId, entry)
  }

  async #read(conversationId: string, entry: Entry): Promise<void> {
    const reading = ++entry.reading
    try {
      const recipients = await this.#parts.crm.conversations.recipients(conversationId)
      if (entry.reading === reading) this.#take(conversationId, recipients)
    } catch {
      // Without the connection the service fills them in when the reply is saved.
    }
  }

  #take(conversationId: string, recipients: ReplyRecipients | undefined): void {
    const { shown } = this.#parts
    const found = recipients as ShownRecipients | undefined
    this.#entry(conversationId).found.value = found
    if (found?.sendsMail) shown.set(conversationId, { to: addressesOf(found.to), cc: addressesOf(found.cc) })
    else shown.delete(conversationId)
  }

  #entry(conversationId: string): Entry {
    let entry = this.#entries.get(conversationId)
    if (entry === undefined) {
      entry = {
        found: signal<ShownRecipients | undefined>(undefined),
        basis: undefined,
        wasBegun: false,
        reading: 0,
      }
      this.#entries.set(conversationId, entry)
    }
    return entry
  }
}

function addressesOf(list: ShownRecipients['to']): string[] {
  return list.map(({ address }) => address)
}

type Decisive = Pick<Incoming, 'seq' | 'inboxId' | 'channel'>

function basisOf({ seq, inboxId, channel }: Decisive, customer: Incoming['customerId']): string {
  const isWhole = typeof customer === 'object' && customer !== null
  const changedAt = isWhole && 'updatedAt' in customer ? customer.updatedAt : null
  return JSON.stringify([seq, inboxId, channel, isWhole ? customer._id : customer, changedAt])
}

import type {
  Conversation,
  Customer,
  CustomerName,
  LastMessage,
  PopulatedConversation,
  UpdateConversation,
} from '@crmkit/sdk'
import type { Crm } from '../api/crm.ts'
import { problemOf } from '../api/problem.ts'
import { Entities } from './entities.ts'

export type KnownCustomer = Customer | CustomerName

/** Events of conversations do not have its text. */
type LastOfEvent = Omit<LastMessage, 'preview'> & { readonly preview?: string | null }

/** A conversation of an event: its `unread` is of nobody, and its customer may be written out. */
export type Incoming = Omit<Conversation, 'customerId' | 'unread' | 'assignedTo' | 'lastMessage'> & {
  readonly lastMessage: LastOfEvent | null
  readonly customerId: KnownCustomer | string | null
  readonly assignedTo: { readonly _id: string } | string | null
  readonly unread?: Conversation['unread']
}

/** The most ids of one request for customers. */
const customersAtOnce = 100

/**
 * All conversations and customers that the screens know. Each change reaches `onChange`, and each deletion `onGone`, which
 * keep the lists right.
 */
export class Conversations {
  readonly rows = new Entities<Conversation>()
  readonly customers = new Entities<KnownCustomer>()
  readonly #crm: Crm
  readonly #onChange: (conversation: Conversation) => void
  readonly #onGone: (id: string) => void
  /** `seq` of each conversation at which this person has marked it as unread, until they open it again. */
  readonly #leftUnread = new Map<string, number>()
  readonly #wantedCustomers = new Set<string>()
  readonly #askedCustomers = new Set<string>()
  readonly #askedUnread = new Set<string>()
  #isReadingCustomers = false

  constructor(crm: Crm, onChange: (conversation: Conversation) => void, onGone: (id: string) => void) {
    this.#crm = crm
    this.#onChange = onChange
    this.#onGone = onGone
  }

  /** Takes a row from a list, an event or a reply. An older state than the known one is left out. */
  take(incoming: Incoming): void {
    const { customerId, assignedTo, unread } = incoming
    const known = this.rows.peek(incoming._id)
    if (known !== undefined && known.updatedAt > incoming.updatedAt) return
    if (typeof customerId === 'object' && customerId !== null) this.customers.put(customerId)
    this.put({
      ...incoming,
      customerId: idOf(customerId),
      assignedTo: idOf(assignedTo),
      lastMessage: withPreview(incoming.lastMessage, known?.lastMessage),
      seq: Math.max(incoming.seq, known?.seq ?? 0),
      unread: unread ?? known?.unread ?? null,
    })
  }

  put(conversation: Conversation): void {
    this.rows.put(conversation)
    this.#onChange(conversation)
  }

  /** Changes what is known, without a request. */
  patch(id: string, change: Partial<Conversation>): void {
    const known = this.rows.peek(id)
    if (known !== undefined) this.put({ ...known, ...change })
  }

  /** Reads one conversation with its customer and how far it was read. */
  async load(id: string): Promise<PopulatedConversation> {
    const conversation = await this.#crm.conversations.get(id)
    this.take(conversation)
    return conversation
  }

  /** Shows the change immediately and takes it back when the service refuses it: then it throws. */
  update(
    id: string,
    change: Omit<UpdateConversation, 'expected'> & Partial<Conversation>,
    expected?: UpdateConversation['expected'],
  ): Promise<Incoming> {
    const send = () => this.#crm.conversations.update(id, { ...change, ...(expected && { expected }) })
    return this.#optimistic(id, change, send)
  }

  async setLabels(id: string, labels: readonly string[]): Promise<void> {
    const before = this.rows.peek(id)?.labels ?? []
    const added = labels.filter((label) => !before.includes(label))
    const removed = before.filter((label) => !labels.includes(label))
    await this.#optimistic(id, { labels: [...labels] }, async () => {
      if (removed.length > 0) await this.#crm.conversations.removeLabels(id, { labels: removed })
      if (added.length > 0) await this.#crm.conversations.addLabels(id, { labels: added })
      return this.#crm.conversations.get(id)
    })
  }

  /** The labels of all known conversations, in alphabetical order. */
  knownLabels(): string[] {
    const labels = this.rows.all().flatMap((row) => row.labels)
    return [...new Set(labels)].sort((a, b) => a.localeCompare(b))
  }

  remove(id: string): void {
    this.rows.delete(id)
    this.#onGone(id)
  }

  /**
   * Reads the conversations of a deleted customer again, one after another: a merge has given them to another customer, and
   * an erasure has deleted them.
   */
  async customerDeleted(customerId: string): Promise<void> {
    this.customers.delete(customerId)
    this.#askedCustomers.delete(customerId)
    for (const { _id } of this.rows.all().filter((row) => row.customerId === customerId)) {
      await this.load(_id).catch((error) => {
        if (problemOf(error).code === 'NOT_FOUND') this.remove(_id)
      })
    }
  }

  /** Shows a conversation as read by the signed-in user. */
  showRead(id: string): void {
    if (this.rows.peek(id)?.unread?.count) this.patch(id, { unread: { count: 0, firstMessageId: null } })
  }

  /** Takes how far the signed-in user has read in another window, or has marked as unread there. */
  takeRead(id: string, seq: number): void {
    const known = this.rows.peek(id)
    if (known === undefined) return
    // From the known `seq`, because a message that came after the mark may have been applied before it.
    const count = Math.min(Math.max(known.seq - seq, 0), 100)
    const firstMessageId = count > 0 ? (known.unread?.firstMessageId ?? null) : null
    this.put({ ...known, unread: { count, firstMessageId } })
  }

  /** Marks a message and the newer ones as unread. */
  async markUnread(id: string, messageId: string): Promise<void> {
    this.#leftUnread.set(id, this.rows.peek(id)?.seq ?? 0)
    const { unread } = await this.#crm.conversations.unread(id, { messageId })
    this.patch(id, { unread })
  }

  /** Whether the messages up to `seq` stay unread while the conversation is open. */
  isLeftUnread(id: string, seq: number): boolean {
    return seq <= (this.#leftUnread.get(id) ?? -1)
  }

  /** Another look at a conversation reads it. */
  endLeftUnread(id: string): void {
    this.#leftUnread.delete(id)
  }

  /** Reads once how much is unread of a row that only an event has brought. Rows that are never shown ask for nothing. */
  wantUnread(id: string): void {
    if (this.#askedUnread.has(id)) return
    this.#askedUnread.add(id)
    // The row then shows nothing as unread, as it did before.
    this.load(id).catch(() => undefined)
  }

  /**
   * Reads the name of a customer that a row shows; rows that are never shown ask for none. Rows that are drawn together
   * share a request, and those that come while it is on its way share the next one.
   */
  wantCustomer(id: string): void {
    if (this.#askedCustomers.has(id) || this.customers.peek(id) !== undefined) return
    this.#askedCustomers.add(id)
    this.#wantedCustomers.add(id)
    if (this.#isReadingCustomers) return
    this.#isReadingCustomers = true
    queueMicrotask(() => void this.#readCustomers())
  }

  async #readCustomers(): Promise<void> {
    while (this.#wantedCustomers.size > 0) {
      const ids = [...this.#wantedCustomers].slice(0, customersAtOnce)
      for (const id of ids) this.#wantedCustomers.delete(id)
      try {
        const { data } = await this.#crm.customers.list({ ids, limit: customersAtOnce })
        for (const customer of data) this.customers.put(customer)
      } catch {
        // The rows show their subjects alone, and ask again when they are drawn again.
        for (const id of ids) this.#askedCustomers.delete(id)
      }
    }
    this.#isReadingCustomers = false
  }

  async #optimistic(
    id: string,
    change: Partial<Conversation>,
    send: () => PromiseLike<Incoming>,
  ): Promise<Incoming> {
    const before = this.rows.peek(id)
    this.patch(id, change)
    try {
      const changed = await send()
      this.take(changed)
      return changed
    } catch (error) {
      // Only what this change touched: an event may have changed the rest in the meantime.
      const known = this.rows.peek(id)
      if (before !== undefined && known !== undefined) {
        const back = Object.fromEntries(Object.keys(change).map((key) => [key, Reflect.get(before, key)]))
        this.put({ ...known, ...back })
      }
      throw error
    }
  }
}

/** Keeps the known text of the same message. */
export function withPreview(
  last: LastOfEvent | null,
  known: Conversation['lastMessage'] = null,
): Conversation['lastMessage'] {
  return last && { ...last, preview: last.preview ?? (known?._id === last._id ? known.preview : null) }
}

/** The id of a row that may be written out. */
export function idOf(reference: { readonly _id: string } | string | null): string | null {
  return typeof reference === 'string' ? reference : (reference?._id ?? null)
}

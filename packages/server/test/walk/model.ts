// The rules of the contract for the rows of a tenant, as simple as possible. Rows are known by names: the letter of their kind and the number
// of the step that made them, so that a list of steps without some of them still means the same.

export interface Customer {
  readonly name: string
  profile: Record<'firstName' | 'lastName' | 'email' | 'phone' | 'company', string | null>
  jobTitle: string | null
  tier: string
  status: string
  tags: string[]
  customFields: Record<string, unknown>
  externalIds: string[]
  isBlocked: boolean
  /** When the customer last wrote; within an hour of it nothing is written. */
  lastContactAt: string | null
  isGone: boolean
}

export interface Conversation {
  readonly name: string
  subject: string
  status: string
  priority: string
  channel: string
  source: string
  customer: string | null
  assignee: string | null
  inbox: string
  labels: string[]
  snoozedUntil: string | null
  wakeOnReply: boolean
  messageCount: number
  seq: number
  isGone: boolean
}

export interface Message {
  readonly name: string
  readonly conversation: string
  /** The customer who wrote it. */
  author: string | null
  readonly type: 'reply' | 'note'
  readonly direction: 'inbound' | 'outbound' | 'internal'
  readonly content: string
  status: string
  /** The door that took the reply when it was stored; null for any other message. */
  readonly via: 'email' | 'chat' | 'webhook' | 'none' | null
  isGone: boolean
  /** It left as a mail to this address. */
  readonly mailedTo?: string
  /** When it was written, where the walk knows it from a response. */
  readonly at?: string
  /** The user who wrote it or entered it, and has then read the conversation up to it. */
  readonly writer?: string
}

/** A row of a kind with few rules: its fields as each response shows them. */
export interface Row {
  readonly name: string
  fields: Record<string, unknown>
  isGone: boolean
}

export interface User extends Row {
  readonly email: string
  isAccepted: boolean
}

/** The owners of a text: it has to be nowhere when one of these is erased. */
export interface Home {
  customer?: string | null
  conversation?: string | null
  /** A later text may have taken its place: no export has to show it. */
  isReplaced?: true
}

/** An integration with its last run. */
export interface Imported {
  readonly provider: 'file' | 'package'
  /** The source in the external ids of its people. */
  readonly source: string
  run: string
  isUndone: boolean
  /** The uploaded file is there, or the package. */
  hasFile: boolean
  /** The customer of each record. */
  readonly people: Map<string, string>
}

const contactMs = 3_600_000

export class Model {
  readonly customers = new Map<string, Customer>()
  readonly conversations = new Map<string, Conversation>()
  readonly messages = new Map<string, Message>()
  readonly users = new Map<string, User>()
  readonly inboxes = new Map<string, Row>()
  readonly webhooks = new Map<string, Row>()
  readonly keys = new Map<string, Row>()
  readonly calls = new Map<string, Row & { customer: string | null; conversation: string | null }>()
  readonly attachments = new Map<string, Row & { message: string | null }>()
  readonly drafts = new Map<string, Row>()
  /** Requests of members of the team about their own data. */
  readonly requests = new Map<string, Row>()
  /** Each text with a marker, and whose it is. */
  readonly texts = new Map<string, Home>()
  /** The markers of texts that an erasure has removed. */
  readonly erased = new Set<string>()
  /** Sessions of visitors: whose they are, once somebody has written. */
  readonly visitors = new Map<string, { customer: string; conversation: string; isGone: boolean }>()
  /** People whom a server of the tenant has signed in: the `sub`, the address that it names, and whose customer it is. */
  readonly signed = new Map<string, { email: string; customer: string }>()
  /** Integrations of files and of packages. */
  readonly imports = new Map<string, Imported>()
  /** Addresses that a visitor has typed: they prove nothing, and find nobody. */
  readonly typed = new Set<string>()
  /** Customers whom an erasure has removed. */
  readonly wasErased = new Set<string>()
  /** Mails without a sender, which wait for a person: the state, and the conversation that was made of one. */
  readonly parked = new Map<string, Row>()
  /** Addresses that get no mail: of the message that came back. */
  readonly suppressed = new Map<string, Row>()
  /** Mails by their names: whose conversation each is in. */
  readonly mails = new Map<string, { customer: string; conversation: string }>()

  /** How far a user has read a conversation: the `seq` of the last message that they have seen. */
  readonly #reads = new Map<string, number>()

  /** A user who has never read a conversation has seen none of it, or all of one in which no message is left but notes. */
  readSeq(user: string, name: string): number {
    const isWritten = this.alive(this.messages).some(
      ({ conversation, type }) => conversation === name && type === 'reply',
    )
    return this.#reads.get(`${user} ${name}`) ?? (isWritten ? 0 : (this.conversations.get(name)?.seq ?? 0))
  }

  setRead(user: string, conversation: string, seq: number): void {
    this.#reads.set(`${user} ${conversation}`, seq)
  }

  /** Notes that a customer has written. */
  setContact(name: string, at: string): void {
    const customer = this.customers.get(name)
    if (customer === undefined) return
    const { lastContactAt } = customer
    if (lastContactAt === null || Date.parse(at) - Date.parse(lastContactAt) > contactMs)
      customer.lastContactAt = at
  }

  alive<T extends { isGone: boolean }>(rows: ReadonlyMap<string, T>): T[] {
    return [...rows.values()].filter(({ isGone }) => !isGone)
  }

  /** Whether the processing of the data of a user is restricted: others see nothing of their availability. */
  isRestricted(user: unknown): boolean {
    return [...this.requests.values()].some(
      ({ fields }) =>
        fields['user'] === user && fields['type'] === 'restriction' && fields['status'] === 'processing',
    )
  }

  /** Erases a conversation with all that belongs to it. */
  eraseConversation(name: string): void {
    const conversation = this.conversations.get(name)
    if (conversation) conversation.isGone = true
    for (const message of this.messages.values())
      if (message.conversation === name) this.#eraseMessage(message)
    for (const call of this.calls.values()) {
      if (call.conversation !== name) continue
      call.conversation = null
    }
    for (const draft of this.drafts.values()) if (draft.fields['conversation'] === name) draft.isGone = true
    this.#forget((home) => home.conversation === name)
  }

  eraseCustomer(name: string): void {
    const customer = this.customers.get(name)
    if (customer) customer.isGone = true
    this.wasErased.add(name)
    for (const conversation of this.alive(this.conversations)) {
      if (conversation.customer === name) this.eraseConversation(conversation.name)
    }
    for (const conversation of this.alive(this.conversations)) {
      // The subject is by the author of the first message.
      const first = this.alive(this.messages).find((one) => one.conversation === conversation.name)
      if (first?.author === name) conversation.subject = '(no subject)'
    }
    for (const message of this.messages.values()) {
      if (message.author !== name || message.isGone) continue
      this.#eraseMessage(message)
      const conversation = this.conversations.get(message.conversation)
      if (conversation) conversation.messageCount -= 1
    }
    for (const call of this.calls.values()) if (call.customer === name) call.isGone = true
    for (const visitor of this.visitors.values()) if (visitor.customer === name) visitor.isGone = true
    this.#forget((home) => home.customer === name)
  }

  #eraseMessage(message: Message): void {
    message.isGone = true
    for (const file of this.attachments.values()) if (file.message === message.name) file.isGone = true
  }

  #forget(isOf: (home: Home) => boolean): void {
    for (const [marker, home] of this.texts) {
      if (!isOf(home)) continue
      this.texts.delete(marker)
      this.erased.add(marker)
    }
  }

  /** Moves all that belongs to the source of a merge to its target. */
  merge(target: Customer, source: Customer): void {
    source.isGone = true
    for (const conversation of this.conversations.values()) {
      if (conversation.customer === source.name) conversation.customer = target.name
    }
    for (const message of this.messages.values())
      if (message.author === source.name) message.author = target.name
    for (const call of this.calls.values()) if (call.customer === source.name) call.customer = target.name
    for (const home of this.texts.values()) if (home.customer === source.name) home.customer = target.name
    for (const mail of this.mails.values()) if (mail.customer === source.name) mail.customer = target.name
    for (const { people } of this.imports.values()) {
      for (const [record, name] of people) if (name === source.name) people.set(record, target.name)
    }
    for (const person of this.signed.values()) {
      if (person.customer === source.name) person.customer = target.name
    }
    for (const visitor of this.visitors.values()) {
      if (visitor.customer === source.name) visitor.customer = target.name
    }
  }
}

/** Adds labels without regard to case; the first spelling stays. */
export function joined(before: readonly string[], added: readonly string[]): string[] {
  const labels = [...before]
  for (const label of added) if (!holds(labels, label)) labels.push(label)
  return labels
}

export function holds(labels: readonly string[], label: string): boolean {
  return labels.some((one) => one.toLowerCase() === label.toLowerCase())
}

export function without(before: readonly string[], removed: readonly string[]): string[] {
  return before.filter((label) => !holds(removed, label))
}

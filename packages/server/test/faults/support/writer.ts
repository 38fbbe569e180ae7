import { type Asked, Client, type Outcome, type ReplyBody } from './client.ts'
import { keys, subjectOfStep, type TenantLedger } from './ledger.ts'
import type { Random } from './random.ts'
import type { LoadTenant } from './tenant.ts'

export interface WriterParts {
  name: string
  tenant: LoadTenant
  ledger: TenantLedger
  random: Random
  /** Resolves with the address of a serving process, as soon as there is one. */
  whenUp(): Promise<string>
  /** Between two requests, ms. */
  pauseMs: number
  withSnoozes: boolean
}

interface OwnConversation {
  id: string
  customerId: string
  step: number
  status: 'open' | 'moving' | 'closed'
}

const snoozeMs = 1000
const draftDelayMs = 500

/** One client that changes the resources that it created, one change after the other, and records what it learns. */
export class Writer {
  readonly #parts: WriterParts
  readonly #client: Client
  readonly #customers: { id: string; step: number }[] = []
  readonly #conversations: OwnConversation[] = []
  #made = 0
  #isStopped = false

  constructor(parts: WriterParts) {
    this.#parts = parts
    this.#client = new Client(parts.tenant.key)
  }

  async run(): Promise<void> {
    const { random, pauseMs } = this.#parts
    while (!this.#isStopped) {
      await this.#chooseOperation()()
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, random.next() * 2 * pauseMs))
    }
    this.#client.close()
  }

  /** Finishes the request in progress. */
  stop(): void {
    this.#isStopped = true
  }

  #chooseOperation(): () => Promise<void> {
    const { random } = this.#parts
    if (this.#customers.length === 0) return () => this.#createCustomer()
    const customer = random.pick(this.#customers)
    const conversation = this.#conversations.length === 0 ? undefined : random.pick(this.#conversations)
    const dice = random.below(100)
    if (dice < 25 || (conversation === undefined && dice > 60)) return () => this.#createCustomer()
    if (dice < 40) return () => this.#updateCustomer(customer)
    if (dice < 55 || conversation === undefined) return () => this.#createConversation(customer.id)
    if (dice < 76) return () => this.#sendMessage(conversation)
    if (dice < 80) return () => this.#scheduleDraft(conversation)
    if (dice < 87) return () => this.#renameConversation(conversation)
    if (dice < 92) return () => this.#snooze(conversation)
    if (dice < 96) return () => this.#close(conversation)
    return () => this.#deleteCustomer(customer)
  }

  async #createCustomer(): Promise<void> {
    const { name, ledger, random } = this.#parts
    const mark = `${name}-${++this.#made}`
    ledger.marks.add(mark)
    const headers = { 'idempotency-key': mark }
    const body = { firstName: 'Ada', lastName: mark, customFields: { step: 0 } }
    const asked: Asked = { method: 'POST', path: '/api/v1/customers', body, headers }
    let reply = await this.#change(asked)
    // A caller that does not know the outcome sends the request again with the same key, and it is done once.
    while (reply === 'unknown' && random.isOneIn(2)) reply = await this.#change(asked)
    if (typeof reply === 'string') return
    const id: string = reply.data._id
    this.#customers.push({ id, step: 0 })
    ledger.customers.set(id, { step: 0, erasure: 'none' })
    ledger.promises.set(keys.customerCreated(id), id)
  }

  async #updateCustomer(customer: { id: string; step: number }): Promise<void> {
    const { ledger } = this.#parts
    const { id } = customer
    const step = ++customer.step
    const reply = await this.#change({
      method: 'PUT',
      path: `/api/v1/customers/${id}`,
      body: { customFields: { step } },
    })
    if (typeof reply === 'string') return
    const row = ledger.customers.get(id)
    if (row) row.step = step
    ledger.promises.set(keys.customerUpdated(id, step), id)
  }

  async #createConversation(customerId: string): Promise<void> {
    const { ledger, tenant } = this.#parts
    const body = { subject: subjectOfStep(0), inboxId: tenant.inboxId, customerId }
    const reply = await this.#change({ method: 'POST', path: '/api/v1/conversations', body })
    if (typeof reply === 'string') return
    const id: string = reply.data._id
    this.#conversations.push({ id, customerId, step: 0, status: 'open' })
    ledger.conversations.set(id, { customerId, step: 0, erasure: 'none' })
    ledger.promises.set(keys.conversationCreated(id), customerId)
  }

  async #sendMessage({ id: conversationId, customerId }: OwnConversation): Promise<void> {
    const { ledger, name } = this.#parts
    const path = `/api/v1/conversations/${conversationId}/messages`
    const body = { content: `A message of ${name}`, clientMessageId: `${name}-${++this.#made}` }
    const reply = await this.#change({ method: 'POST', path, body })
    if (typeof reply === 'string') return
    ledger.messages.set(reply.data._id, { conversationId, customerId })
    ledger.promises.set(keys.messageSent(reply.data._id), customerId)
  }

  /** The service sends the draft by itself: each acknowledged one becomes one message. */
  async #scheduleDraft(conversation: OwnConversation): Promise<void> {
    const { ledger, name, withSnoozes, whenUp } = this.#parts
    if (!withSnoozes) return this.#sendMessage(conversation)
    const { id: conversationId, customerId } = conversation
    await whenUp()
    const sendAt = new Date(Date.now() + draftDelayMs).toISOString()
    const body = { content: `A draft of ${name}`, sendAt, sendUnlessReplied: false }
    const path = `/api/v1/conversations/${conversationId}/draft`
    const reply = await this.#change({ method: 'PUT', path, body })
    if (typeof reply === 'string') return
    ledger.drafts.set(reply.data._id, { conversationId, customerId })
  }

  async #renameConversation(conversation: OwnConversation): Promise<void> {
    const subject = subjectOfStep(++conversation.step)
    const reply = await this.#changeConversation(conversation, { subject })
    if (typeof reply === 'string') return
    const { ledger } = this.#parts
    const row = ledger.conversations.get(conversation.id)
    if (row) row.step = conversation.step
    ledger.promises.set(keys.conversationUpdated(conversation.id, subject), conversation.customerId)
  }

  /** Once for each conversation: the service opens it again by itself. */
  async #snooze(conversation: OwnConversation): Promise<void> {
    if (conversation.status !== 'open' || !this.#parts.withSnoozes) return this.#sendMessage(conversation)
    conversation.status = 'moving'
    await this.#parts.whenUp()
    const snoozedUntil = new Date(Date.now() + snoozeMs).toISOString()
    const reply = await this.#changeConversation(conversation, { status: 'snoozed', snoozedUntil })
    if (typeof reply === 'string') return
    const { promises } = this.#parts.ledger
    promises.set(keys.conversationMoved(conversation.id, 'open', 'snoozed'), conversation.customerId)
    promises.set(keys.conversationMoved(conversation.id, 'snoozed', 'open'), conversation.customerId)
  }

  async #close(conversation: OwnConversation): Promise<void> {
    if (conversation.status !== 'open') return this.#sendMessage(conversation)
    conversation.status = 'closed'
    const reply = await this.#changeConversation(conversation, { status: 'closed' })
    if (typeof reply === 'string') return
    const { promises } = this.#parts.ledger
    promises.set(keys.conversationMoved(conversation.id, 'open', 'closed'), conversation.customerId)
    promises.set(keys.conversationClosed(conversation.id), conversation.customerId)
  }

  #changeConversation({ id }: OwnConversation, body: object): Promise<ReplyBody | 'unknown' | 'refused'> {
    return this.#change({ method: 'PUT', path: `/api/v1/conversations/${id}`, body })
  }

  /** Erases the customer with all its children. */
  async #deleteCustomer({ id }: { id: string }): Promise<void> {
    const { ledger } = this.#parts
    const own = this.#conversations.filter(({ customerId }) => customerId === id)
    const rows = [ledger.customers.get(id), ...own.map((one) => ledger.conversations.get(one.id))]
    for (const row of rows) if (row) row.erasure = 'asked'
    this.#customers.splice(0, this.#customers.length, ...this.#customers.filter((one) => one.id !== id))
    const rest = this.#conversations.filter((one) => !own.includes(one))
    this.#conversations.splice(0, this.#conversations.length, ...rest)
    const reply = await this.#change({ method: 'DELETE', path: `/api/v1/customers/${id}` })
    if (reply === 'refused') for (const row of rows) if (row) row.erasure = 'none'
    if (typeof reply === 'string') return
    for (const row of rows) if (row) row.erasure = 'done'
    ledger.promises.set(keys.customerDeleted(id), '')
  }

  /** Returns the reply of an acknowledged change; otherwise that it was refused, or that its outcome is unknown. */
  async #change(asked: Asked): Promise<ReplyBody | 'unknown' | 'refused'> {
    const { ledger } = this.#parts
    const outcome = await this.#client.ask(await this.#parts.whenUp(), asked)
    if (outcome.kind !== 'response') {
      ledger.counts[outcome.kind] += 1
      return outcome.kind === 'unknown' ? 'unknown' : 'refused'
    }
    if (outcome.status < 300) {
      ledger.counts.acknowledged += 1
      return outcome.body
    }
    ledger.counts.refused += 1
    if (!isOrderlyRefusal(outcome)) {
      ledger.oddities.push(`${asked.method} ${asked.path}: ${outcome.status} ${JSON.stringify(outcome.body)}`)
    }
    // A 503 does not say whether the change was made, only that it was not acknowledged.
    return 'unknown'
  }
}

/**
 * The storage is unavailable for a moment, an earlier request is still running, or the moment of a snooze or a draft has passed.
 */
function isOrderlyRefusal({ status, retryAfter, body }: Extract<Outcome, { kind: 'response' }>): boolean {
  if (status === 503) return retryAfter !== undefined
  if (status === 422) return ['snoozedUntil', 'sendAt'].includes(body?.details?.[0]?.field)
  return status === 409 && body?.code === 'IDEMPOTENCY_IN_PROGRESS'
}

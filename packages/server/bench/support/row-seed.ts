import type { StoredMessage } from '@crmkit/core'
import { type Conversation, type Customer, createIdFactory, makeEvent } from '@crmkit/core'
import type { TenantStore } from '../../src/ports/storage.ts'
import type { TransferTarget } from '../../src/ports/storage-transfer.ts'
import { customerOfRecord } from '../../src/shared/customer-of-record.ts'
import type { TransferKind } from '../../src/storage/kinds/registry.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample, sampleAttempt } from '../../test/contracts/storage/samples.contract.ts'
import { randomNumbers } from './random-numbers.ts'

const dayMs = 86_400_000
const messagesEach = 3
/** The rows are spread over this many days before now. */
export const seededDays = 400
/** Events and attempts are younger than the 30 days after which retention deletes them: it would write while a bench measures. */
const loggedDays = 20

const syllables =
  'ba be bi bo da de di do fa fe ga go ha he ja jo ka ke ki la le lo ma me mi na ne no pa pe ra re ro sa se ta te va vo wa'.split(
    ' ',
  )

/** Made-up words of two to four syllables. The first are asked for most, as in a language. */
export function makeWords(count: number): string[] {
  const random = randomNumbers(11)
  const words = new Set<string>()
  while (words.size < count) {
    const length = 2 + Math.floor(random() * 3)
    words.add(Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join(''))
  }
  return [...words]
}

export interface SeedPlan {
  tenantId: TenantId
  /** The number of customers, and of conversations. */
  rows: number
  /** Rows of a kind that are stored at once. */
  batchRows: number
  inboxId: string
  onProgress(rows: number): void
}

export const agents = Array.from({ length: 50 }, (_, index) => `usr_agent${index}`)
export const labelOf = (index: number) => `label-${index}`

/** Makes the rows of one large tenant. The same plan makes the same texts. */
class RowMaker {
  readonly #random = randomNumbers(7)
  readonly #words = makeWords(20_000)
  readonly #plan: SeedPlan
  readonly #endMs = Date.now() - dayMs
  #nowMs = 0
  readonly ids = createIdFactory(() => this.#nowMs)

  constructor(plan: SeedPlan) {
    this.#plan = plan
  }

  /** A customer, a conversation, its messages, an event and the attempt that delivered it. */
  bundle(index: number) {
    const { rows } = this.#plan
    this.#nowMs = Math.round(this.#endMs - (1 - index / rows) * seededDays * dayMs)
    const customer = this.#customer(index)
    const conversation = this.#conversation(customer._id)
    const messages = Array.from({ length: messagesEach }, (_, i) => this.#message(conversation, i))
    const loggedAt = new Date(this.#endMs - (1 - index / rows) * loggedDays * dayMs).toISOString()
    const event = makeEvent({
      id: this.ids.next('evt'),
      type: 'conversation.created',
      now: loggedAt,
      subjects: [conversation._id],
      data: conversation,
    })
    const attempt = sampleAttempt(this.#plan.tenantId, {
      _id: this.ids.next('log'),
      webhookId: 'whk_bench',
      event: event.type,
      eventId: event._id,
      status: index % 20 === 0 ? 'failed' : 'success',
      createdAt: loggedAt,
      deliveredAt: loggedAt,
    })
    return { customer, conversation, messages, event, attempt }
  }

  #times(laterMs = 0) {
    const createdAt = new Date(this.#nowMs + laterMs).toISOString()
    return { createdAt, updatedAt: createdAt }
  }

  /** A word by the law of words: the n-th is about n times rarer than the first. */
  #word(): string {
    return this.#words[Math.floor(this.#words.length ** this.#random()) - 1] ?? (this.#words[0] as string)
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T
  }

  #customer(index: number): Customer {
    const lastName = this.#word()
    return customerOfRecord(
      sample.customers(this.#plan.tenantId, {
        _id: this.ids.next('cus'),
        profile: {
          firstName: this.#words[index % 300] as string,
          lastName: `${lastName[0]?.toUpperCase()}${lastName.slice(1)}`,
          email: `person${index}@${this.#word()}.example`,
          phone: `+1555${String(index).padStart(7, '0')}`,
          company: `${this.#word()} ${this.#word()}`,
        },
        tier: this.#random() < 0.7 ? 'bronze' : this.#oneOf(['silver', 'gold', 'platinum']),
        status: this.#random() < 0.9 ? 'active' : this.#oneOf(['inactive', 'archived']),
        tags: index % 10 === 0 ? ['vip'] : [labelOf(Math.floor(this.#random() ** 2 * 500))],
        customFields: {},
        externalIds: [],
        ...this.#times(),
      }),
    )
  }

  #conversation(customerId: string): Conversation {
    const share = this.#random()
    const labels = [0, 1, 2].flatMap(() =>
      this.#random() < 0.5 ? [labelOf(Math.floor(this.#random() ** 2 * 500))] : [],
    )
    return sample.conversations(this.#plan.tenantId, {
      _id: this.ids.next('con'),
      subject: Array.from({ length: 5 }, () => this.#word()).join(' '),
      status: share < 0.15 ? 'open' : share < 0.25 ? 'pending' : 'closed',
      priority: this.#oneOf(['low', 'medium', 'medium', 'high', 'urgent']),
      channel: this.#oneOf(['email', 'email', 'chat', 'sms']),
      customerId,
      assignedTo: this.#random() < 0.1 ? null : this.#oneOf(agents),
      inboxId: this.#plan.inboxId,
      labels: [...new Set(labels)],
      messageCount: messagesEach,
      externalIds: [],
      customFields: {},
      visitorId: null,
      rating: null,
      ...this.#times(),
    })
  }

  #message(conversation: Conversation, index: number): StoredMessage {
    const length = 8 + Math.floor(this.#random() * 22)
    return sample.messages(this.#plan.tenantId, {
      _id: this.ids.next('msg'),
      conversationId: conversation._id,
      direction: index % 2 === 0 ? 'inbound' : 'outbound',
      sender:
        index % 2 === 0
          ? { type: 'customer', _id: conversation.customerId, name: null }
          : { type: 'user', _id: agents[0] as string, name: 'Ada' },
      content: Array.from({ length }, () => this.#word()).join(' '),
      attachments: [],
      ...this.#times((index + 1) * 60_000),
    })
  }
}

export type Bundle = ReturnType<RowMaker['bundle']>
/** Stores bundles that do not exist. */
export type StoreBundles = (bundles: readonly Bundle[]) => Promise<void>

/** Stores bundles as a copy between databases would, which is faster where each commit waits for other machines. */
export function storeAsCopy(target: TransferTarget): StoreBundles {
  const put = (kind: TransferKind, records: readonly { _id: string; tenantId: string }[]) =>
    target.put(
      kind,
      records.map((record) => ({
        tenantId: record.tenantId,
        id: record._id,
        version: 0,
        record: { ...record },
      })),
    )
  return async (bundles) => {
    const tenantId = bundles[0]?.customer.tenantId ?? ''
    const customers = bundles.map(({ customer }) => customer)
    const conversations = bundles.map(({ conversation }) => conversation)
    const messages = bundles.flatMap((bundle) => bundle.messages)
    const events = bundles.map(({ event }) => ({ ...event, tenantId, position: null }))
    const attempts = bundles.map(({ attempt }) => attempt)
    await Promise.all([
      put('customers', customers),
      put('conversations', conversations),
      put('messages', messages),
      put('events', events),
      put('attempts', attempts),
    ])
  }
}

/** So many batches are stored at the same time: the next one is made while a database works. */
const batchesMax = 2

/** Fills a tenant. */
export async function seedRows(plan: SeedPlan, storeBundles: StoreBundles): Promise<void> {
  const maker = new RowMaker(plan)
  const running: Promise<void>[] = []
  for (let start = 0; start < plan.rows; start += plan.batchRows) {
    const count = Math.min(plan.batchRows, plan.rows - start)
    const bundles = Array.from({ length: count }, (_, offset) => maker.bundle(start + offset))
    if (running.length >= batchesMax) await running.shift()
    running.push(storeBundles(bundles).then(() => plan.onProgress(start + count)))
  }
  await Promise.all(running)
}

/** Makes the webhook that the seeded attempts name. */
export async function seedWebhook(store: TenantStore): Promise<void> {
  const webhook = sample.webhooks(store.tenantId, { _id: 'whk_bench', isActive: false, events: [] })
  await store.commit({ writes: [insertOf('webhooks', webhook)], events: [] })
}

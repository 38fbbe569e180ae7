import {
  type Conversation,
  type CreateCustomerBody,
  type Customer,
  conversationAfterMessage,
  type IdFactory,
  type Message,
  newConversation,
  newCustomer,
  newMessage,
} from '@crmkit/core'
import type { Write } from '../../../ports/change.ts'
import type { ConversationRecord } from '../../../storage/kinds/conversations.ts'
import type { CustomerRecord } from '../../../storage/kinds/customers.ts'
import type { TenantId } from '../../../storage/records.ts'
import { type SampleConversation, sampleConversations, sampleCustomers } from './sample-facts.ts'

export interface SampleParts {
  readonly ids: IdFactory
  readonly now: string
  readonly tenantId: TenantId
  /** The person who adds the rows. */
  readonly userId: string
  readonly inboxId: string
}

const hourMs = 3_600_000
const minuteMs = 60_000
const dayMs = 24 * hourMs
const customersAgeMs = 90 * dayMs
/** The end of a snooze is an event. Nobody keeps sample rows for so long. */
const snoozedForMs = 365 * dayMs
/** No user of the tenant: a reply of a person is a step of the check-list. */
const author: Message['sender'] = { type: 'user', _id: null, name: 'Sample colleague' }

const moved = (now: string, ms: number) => new Date(Date.parse(now) + ms).toISOString()

/** Returns the sample rows, without any event: each is dated as if it had been written long before. */
export function sampleRows(parts: SampleParts) {
  const customers = sampleCustomers.map((facts) => customerOf(parts, facts))
  const threads = sampleConversations.flatMap((facts) => {
    const customer = customers[facts.customer]
    return customer ? [threadOf(parts, facts, customer)] : []
  })
  const conversations = threads.map(({ conversation }) => conversation)
  const messages = threads.flatMap((thread) => thread.messages)
  const contacted = customers.map((row) => ({ ...row, lastContactAt: lastContact(row, messages) }))
  const writes = [
    ...contacted.map((row): Write => ({ op: 'insert', kind: 'customers', row })),
    ...conversations.map((row): Write => ({ op: 'insert', kind: 'conversations', row })),
    ...messages.map((row): Write => ({ op: 'insert', kind: 'messages', row })),
  ]
  return {
    writes,
    customerIds: customers.map(({ _id }) => _id),
    conversationIds: conversations.map(({ _id }) => _id),
  }
}

function customerOf({ ids, now, tenantId }: SampleParts, body: CreateCustomerBody) {
  const making = {
    id: ids.next('cus'),
    tenantId,
    now: moved(now, -customersAgeMs),
    eventId: ids.next('evt'),
  }
  // As the row of an import: a client that asks for later changes finds it.
  return { ...newCustomer(body, making).customer, importedAt: now }
}

function lastContact({ _id }: CustomerRecord, messages: readonly Message[]): string | null {
  const times = messages.filter(({ sender }) => sender._id === _id).map(({ createdAt }) => createdAt)
  return times.toSorted().at(-1) ?? null
}

function threadOf(parts: SampleParts, facts: SampleConversation, customer: Customer) {
  const { ids, now, tenantId, userId, inboxId } = parts
  const { subject, channel, status, priority, labels = [], isMine, hoursAgo } = facts
  const beginsAt = moved(now, -hoursAgo * hourMs)
  const body = { subject, channel, priority, labels: [...labels], inboxId, customerId: customer._id }
  let conversation: Conversation = {
    ...newConversation(body, { id: ids.next('con'), tenantId, now: beginsAt }),
    assignedTo: isMine ? userId : null,
  }
  const messages = facts.messages.map(([by, minutes, content]) => {
    const at = moved(beginsAt, minutes * minuteMs)
    const written = { content, ...kindsOf[by] }
    const message = newMessage(written, { id: ids.next('msg'), conversation, customer, author, now: at })
    conversation = { ...conversation, ...conversationAfterMessage(conversation, message) }
    return message
  })
  const endsAt = conversation.updatedAt
  const isClosed = status === 'closed'
  const row: ConversationRecord = {
    ...conversation,
    status,
    snoozedUntil: status === 'snoozed' ? moved(now, snoozedForMs) : null,
    closedAt: isClosed ? endsAt : null,
    waitingSince: isClosed ? null : conversation.waitingSince,
    rating: facts.rating ? { ...facts.rating, at: endsAt } : null,
    importedAt: now,
  }
  return { conversation: row, messages }
}

const kindsOf = {
  customer: { type: 'reply', direction: 'inbound' },
  team: { type: 'reply', direction: 'outbound' },
  note: { type: 'note' },
} as const

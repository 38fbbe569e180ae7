import type { EventType } from '@crmkit/core'

/**
 * The knowledge of a tenant's writers: acknowledged changes, and requests whose outcome is unknown. Every resource
 * belongs to one writer, which makes one change after the other.
 */
export interface TenantLedger {
  name: string
  customers: Map<string, OwnedRow>
  conversations: Map<string, OwnedRow & { customerId: string }>
  messages: Map<string, { conversationId: string; customerId: string }>
  /** Scheduled drafts by their ids. */
  drafts: Map<string, { conversationId: string; customerId: string }>
  /** Events that the acknowledged changes promise, with the customer whose erasure withdraws the promise. */
  promises: Map<string, string>
  /** Marks of creations with an `Idempotency-Key`: each may be stored once at most. */
  marks: Set<string>
  counts: { acknowledged: number; unknown: number; refused: number; unsent: number }
  /** Responses that no client should have seen. */
  oddities: string[]
}

export interface OwnedRow {
  /** The last acknowledged change; the stored row has this one or a later one. */
  step: number
  /** `asked`: a deletion whose outcome is unknown. */
  erasure: 'none' | 'asked' | 'done'
}

export function createLedger(name: string): TenantLedger {
  return {
    name,
    customers: new Map(),
    conversations: new Map(),
    messages: new Map(),
    drafts: new Map(),
    promises: new Map(),
    marks: new Set(),
    counts: { acknowledged: 0, unknown: 0, refused: 0, unsent: 0 },
    oddities: [],
  }
}

interface EventLike {
  event: string
  data?: {
    _id?: string
    subject?: string
    customFields?: { step?: number }
    erased?: boolean
  }
  changes?: { status?: { from: string; to: string } }
}

/** Names the change that an event reports, so that it can be found by the change that a writer made. */
export function eventKey({ event, data = {}, changes }: EventLike): string {
  const { _id: id = '', subject, customFields, erased } = data
  if (erased) return `erased:${event}:${id}`
  const type = event as EventType
  if (type === 'customer.updated') return keys.customerUpdated(id, customFields?.step ?? 0)
  if (type !== 'conversation.updated') return `${type}:${id}`
  if (changes?.status) return `${type}:${id}:${changes.status.from}>${changes.status.to}`
  return `${type}:${id}:${subject}`
}

export const keys = {
  customerCreated: (id: string) => `customer.created:${id}`,
  customerUpdated: (id: string, step: number) => `customer.updated:${id}:${step}`,
  customerDeleted: (id: string) => `customer.deleted:${id}`,
  conversationCreated: (id: string) => `conversation.created:${id}`,
  conversationUpdated: (id: string, subject: string) => `conversation.updated:${id}:${subject}`,
  conversationMoved: (id: string, from: string, to: string) => `conversation.updated:${id}:${from}>${to}`,
  conversationClosed: (id: string) => `conversation.closed:${id}`,
  messageSent: (id: string) => `message.sent:${id}`,
}

/** The type of event that a key names. */
export function typeOfKey(key: string): string {
  return key.slice(0, key.indexOf(':'))
}

export const subjectOfStep = (step: number) => `Step ${step}`
export const stepOfSubject = (subject: string) => Number(subject.replace('Step ', ''))

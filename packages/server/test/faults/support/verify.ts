import type { Inbox } from './inbox.ts'
import { keys, stepOfSubject, type TenantLedger, typeOfKey } from './ledger.ts'
import type { StoredRows } from './read-back.ts'

/** The findings of a run. Everything but `duplicates` must be empty. */
export interface Findings {
  /** Acknowledged and not stored. */
  lostRows: string[]
  /** Promised by a change that is stored, and never accepted by a subscribed receiver. */
  lostEvents: string[]
  /** Done twice, stored in part, or sent without being stored. */
  contradictions: string[]
  /** Deliveries after the first accepted one: the guarantee is at least once, not exactly once. */
  duplicates: number
}

/** A customer that a deletion may have erased counts as deleted when it is not stored any more. */
function erasedCustomers({ customers }: TenantLedger, stored: StoredRows): Set<string> {
  const erased = new Set<string>()
  for (const [id, { erasure }] of customers) {
    if (erasure === 'done' || (erasure === 'asked' && !stored.customers.has(id))) erased.add(id)
  }
  return erased
}

/** Acknowledged changes that are not stored, or stored in an older state. */
export function findLostRows(ledger: TenantLedger, stored: StoredRows): string[] {
  const erased = erasedCustomers(ledger, stored)
  const lost: string[] = []
  for (const [id, { step, erasure }] of ledger.customers) {
    const row = stored.customers.get(id)
    if (erasure === 'done' && row) lost.push(`the deletion of ${id}`)
    if (erased.has(id)) continue
    if (!row) lost.push(id)
    else if (row.step < step) lost.push(`${id} at step ${step}: stored is ${row.step}`)
  }
  for (const [id, { step, customerId }] of ledger.conversations) {
    if (erased.has(customerId)) continue
    const row = stored.conversations.get(id)
    if (!row) lost.push(id)
    else if (stepOfSubject(row.subject) < step) lost.push(`${id} at step ${step}: stored is ${row.subject}`)
  }
  for (const [id, { customerId }] of ledger.messages) {
    if (!erased.has(customerId) && !stored.messages.has(id)) lost.push(id)
  }
  return [...lost, ...findUnsentDrafts(ledger, stored)]
}

/** Scheduled drafts that no message was made of. */
export function findUnsentDrafts(ledger: TenantLedger, stored: StoredRows): string[] {
  const erased = erasedCustomers(ledger, stored)
  const sent = new Set([...stored.messages.values()].map(({ clientMessageId }) => clientMessageId))
  const lost: string[] = []
  for (const [id, { customerId }] of ledger.drafts)
    if (!erased.has(customerId) && !sent.has(id)) lost.push(id)
  return lost
}

/**
 * Events that must have arrived: of every acknowledged change, and of every stored change, acknowledged or not,
 * because a change and its event are one.
 */
export function promisedKeys(ledger: TenantLedger, stored: StoredRows): string[] {
  const erased = erasedCustomers(ledger, stored)
  const promised = new Set<string>()
  for (const [key, customerId] of ledger.promises) if (!erased.has(customerId)) promised.add(key)
  for (const [id, { step }] of stored.customers) {
    promised.add(keys.customerCreated(id))
    if (step > 0) promised.add(keys.customerUpdated(id, step))
  }
  for (const [id, { subject }] of stored.conversations) {
    promised.add(keys.conversationCreated(id))
    if (stepOfSubject(subject) > 0) promised.add(keys.conversationUpdated(id, subject))
  }
  for (const id of stored.messages.keys()) promised.add(keys.messageSent(id))
  for (const id of erased) promised.add(keys.customerDeleted(id))
  return [...promised]
}

/** Marks and drafts that are stored twice, rows that contradict each other, snoozes that never ended. */
export function findContradictions(ledger: TenantLedger, stored: StoredRows): string[] {
  const found: string[] = []
  const marks = new Set<string>()
  for (const [id, { mark }] of stored.customers) {
    if (marks.has(mark)) found.push(`${id}: ${mark} was made twice under one Idempotency-Key`)
    marks.add(mark)
  }
  const counted = new Map<string, number>()
  const sent = new Set<string>()
  for (const { conversationId, clientMessageId } of stored.messages.values()) {
    if (clientMessageId !== null && sent.has(clientMessageId)) found.push(`${clientMessageId} was sent twice`)
    sent.add(clientMessageId ?? '')
    counted.set(conversationId, (counted.get(conversationId) ?? 0) + 1)
  }
  for (const [id, { messageCount, status, customerId }] of stored.conversations) {
    const messages = counted.get(id) ?? 0
    if (messages !== messageCount) found.push(`${id} counts ${messageCount} messages and has ${messages}`)
    if (status === 'snoozed') found.push(`${id} is still snoozed`)
    if (!stored.customers.has(customerId)) found.push(`${id} outlived its customer ${customerId}`)
  }
  for (const oddity of ledger.oddities) found.push(`wrong response: ${oddity}`)
  return found
}

interface RunFacts {
  ledger: TenantLedger
  stored: StoredRows
  crashes: number
}

/** Events that a receiver got although their subject is not stored, and deliveries that broke a rule of their own. */
export function judgeInbox(
  inbox: Inbox,
  { ledger, stored, crashes }: RunFacts,
): Pick<Findings, 'contradictions' | 'duplicates'> {
  const { name, maxRetries } = inbox.setting
  const contradictions = [...inbox.problems]
  let duplicates = 0
  for (const { id, key, successes, attemptMax, requests } of inbox.byId.values()) {
    duplicates += Math.max(0, successes - 1)
    // One more for each crash, which may have come after the send and before its result.
    const bound = maxRetries + 1 + crashes
    if (attemptMax > bound || requests > bound) {
      contradictions.push(
        `${name}, ${id}: ${requests} requests up to attempt ${attemptMax}, at most ${bound} were due`,
      )
    }
    if (typeOfKey(key) !== 'customer.created') continue
    const customerId = key.slice('customer.created:'.length)
    const erasure = ledger.customers.get(customerId)?.erasure ?? 'none'
    if (!stored.customers.has(customerId) && erasure === 'none') {
      contradictions.push(`${name} got an event of ${customerId}, which is not stored`)
    }
  }
  return { contradictions, duplicates }
}

import { asksForReply, type Customer, type StoredMessage } from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'

/** A busy customer is not written with each message: lists are sorted by it, and an hour is near enough. */
const precisionMs = 3_600_000

type Contacted = Pick<Customer, '_id' | 'lastContactAt'>

/** Returns the id of the customer who wrote a message; undefined for a note, a reply, and the mail of a machine. */
export function contactOf(message: Pick<StoredMessage, 'type' | 'sender' | 'direction' | 'email'>) {
  const { type, sender } = message
  const isContact = type === 'reply' && sender.type === 'customer' && asksForReply(message)
  return isContact ? (sender._id ?? undefined) : undefined
}

/** Returns the writes of a commit with the last contact of the customer who wrote its message. */
export function withContact(writes: Write[], customer: Contacted | null, message: StoredMessage): Write[] {
  const { createdAt: at } = message
  if (customer === null || contactOf(message) !== customer._id) return writes
  const { _id: id, lastContactAt } = customer
  if (lastContactAt !== null && Date.parse(at) - Date.parse(lastContactAt) <= precisionMs) return writes
  // A row is written once in a commit.
  const isMade = writes.some((write) => write.op === 'insert' && write.kind === 'customers')
  if (!isMade) return [...writes, contactWrite(id, at)]
  return writes.map((write) =>
    write.op === 'insert' && write.kind === 'customers' && write.row._id === id
      ? { ...write, row: { ...write.row, lastContactAt: at } }
      : write,
  )
}

/** Never changes the version: nobody has worked on the customer. */
export function contactWrite(id: string, at: string): Write {
  return { op: 'patch', kind: 'customers', id, max: { lastContactAt: at } }
}

/** Returns the fields that an update writes. A message may have raised the last contact since it was read. */
export function fieldsToSet(
  { _id, tenantId: _tenant, createdAt: _created, lastContactAt, ...fields }: Customer,
  before: Pick<CustomerRecord, 'lastContactAt'>,
): Partial<CustomerRecord> {
  return { ...fields, ...(lastContactAt !== (before.lastContactAt ?? null) && { lastContactAt }) }
}

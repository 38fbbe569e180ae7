import type { CustomerRecord } from '../../ports/records.ts'
import { erasedBody, erasedText } from '../../ports/storage-rules/erased.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { decodeRow } from './encode-row.ts'
import { isOneOf } from './filters.ts'
import type { RowWriter } from './row-writer.ts'
import type { Reach } from './scope.ts'

export interface Erasure {
  kind: 'customers' | 'conversations'
  id: string
  at: string
}

/** Ids that are named in one statement. */
const batchMax = 1_000

function* batches(ids: readonly string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += batchMax) yield ids.slice(start, start + batchMax)
}

async function idsWith(
  reach: Reach,
  { kind, field, values }: { kind: 'conversations' | 'messages'; field: string; values: readonly string[] },
): Promise<string[]> {
  const ids: string[] = []
  for (const batch of batches(values)) {
    const rows = await reach.find(kind, isOneOf(field, batch), { fields: ['id'] })
    ids.push(...rows.map(({ id }) => id))
  }
  return ids
}

/** The customer and those who were merged into it. */
async function peopleOf(reach: Reach, id: string): Promise<string[]> {
  const [found] = await reach.find('customers', reach.one(id))
  const { mergedFrom = [] } = found ? decodeRow<Partial<CustomerRecord>>(found.row) : {}
  return [id, ...mergedFrom]
}

/** What customers wrote in others' conversations, of which those then count fewer messages. */
async function removeAuthored(reach: Reach, rows: RowWriter, authors: readonly string[]): Promise<string[]> {
  const messages = await reach.find('messages', isOneOf('keys.customerId', authors), {
    fields: ['id', 'row.conversationId'],
  })
  const ids = messages.map(({ id }) => id)
  for (const batch of batches(ids)) await rows.removeAll('messages', batch)
  for (const [id, ofOne] of Map.groupBy(messages, ({ row }) => String(row['conversationId']))) {
    const increment = { messageCount: -ofOne.length }
    await rows.patch({ op: 'patch', kind: 'conversations', id, increment })
  }
  return ids
}

/** Removes the rows and answers the ids of all that went. */
async function removeRows(reach: Reach, rows: RowWriter, { kind, id }: Erasure): Promise<string[]> {
  const isCustomer = kind === 'customers'
  const people = isCustomer ? await peopleOf(reach, id) : []
  await rows.remove(kind, id)
  const conversations = isCustomer
    ? await idsWith(reach, { kind: 'conversations', field: 'row.customerId', values: people })
    : [id]
  const messages = await idsWith(reach, {
    ...{ kind: 'messages', field: 'row.conversationId' },
    values: conversations,
  } as const)
  if (isCustomer) for (const batch of batches(conversations)) await rows.removeAll('conversations', batch)
  for (const batch of batches(messages)) await rows.removeAll('messages', batch)
  const authored = await removeAuthored(reach, rows, people)
  return [...people, ...conversations, ...messages, ...authored]
}

async function redactEvents(reach: Reach, subjects: readonly string[], at: string): Promise<void> {
  const events = await reach.find('events', isOneOf('subjects', subjects), { fields: ['id', 'row.body'] })
  if (events.length === 0) return
  for (const { id, row } of events) {
    await reach.update('events', reach.one(id), { $set: { 'row.body': erasedBody(String(row['body'])) } })
  }
  const eventIds = events.map(({ id }) => id)
  const pending = { ...isOneOf('row.eventId', eventIds), 'row.status': 'pending' }
  const attempts = await reach.find('attempts', pending, { fields: ['id'] })
  const ended = reach.among(attempts.map(({ id }) => id))
  await reach.remove('dueAttempts', ended)
  await reach.update('attempts', ended, {
    $set: {
      'row.status': 'failed',
      'row.errorCode': 'ERASED',
      'row.error': erasedText,
      'row.deliveredAt': at,
      'row.nextAttemptAt': null,
    },
  })
}

/** Removes a customer or conversation and everything about it, as the port says of `erase`. */
export async function erase(reach: Reach, rows: RowWriter, erasure: Erasure): Promise<void> {
  const gone = await removeRows(reach, rows, erasure)
  passFaultPoint('during-erasure')
  for (const subjects of batches(gone)) {
    await redactEvents(reach, subjects, erasure.at)
    await reach.remove('idempotency', isOneOf('subjects', subjects))
  }
}

import type { StoredMessage } from '@crmkit/core'
import { makeEvent } from '@crmkit/core'
import type { Change, Write } from '../../ports/change.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import { strangerAddressOf } from '../../storage/kinds/messages.ts'
import type { Stored } from '../../storage/records.ts'
import type { AddressErasure } from './erase-address-task.ts'

/** Each has an erasure of its own. */
const pageSize = 20
/** A conversation with more messages is not that of one stranger. */
const ownMax = 100
const noSubject = '(no subject)'

/** Mails of the address whose sender is no customer: deleted as those of a customer are, with what is stored about them. */
export async function strangerPage(erasure: AddressErasure): Promise<Change | undefined> {
  const { store, address, until } = erasure
  const found = await store.messages.list({
    strangerAddress: address,
    sort: 'createdAt',
    page: 1,
    limit: pageSize,
  })
  const rows = found.rows.filter(({ createdAt }) => createdAt <= until)
  if (rows.length === 0) return undefined
  const changes = await Promise.all(
    [...Map.groupBy(rows, ({ conversationId }) => conversationId)].map(([conversationId, ofOne]) =>
      conversationChange(erasure, conversationId, ofOne),
    ),
  )
  return {
    writes: changes.flatMap(({ writes }) => writes),
    events: changes.flatMap(({ events }) => events),
  }
}

async function conversationChange(
  erasure: AddressErasure,
  id: string,
  messages: readonly Stored<StoredMessage>[],
): Promise<Change> {
  const { store, ids, now, until: at } = erasure
  const erased = messages.map(({ _id }): Write => ({ op: 'erase', kind: 'messages', id: _id, at }))
  const conversation = await store.conversations.find(id)
  if (conversation === undefined) return { writes: erased, events: [] }
  const begun = await beginningOf(erasure, conversation)
  if (begun === 'alone') {
    const event = makeEvent({
      id: ids.next('evt'),
      type: 'conversation.deleted',
      now,
      subjects: [id],
      data: { _id: id },
    })
    return { writes: [{ op: 'erase', kind: 'conversations', id, at }], events: [event] }
  }
  const { version: expectVersion } = conversation
  const set = { subject: noSubject }
  return {
    writes: [
      ...(begun ? [{ op: 'update', kind: 'conversations', id, expectVersion, set } as const] : []),
      { op: 'patch', kind: 'conversations', id, increment: { messageCount: -messages.length } },
      ...erased,
    ],
    events: [],
  }
}

/**
 * Returns whether a conversation without a customer was begun by the stranger: its subject is theirs then. `alone`: nobody
 * else wrote in it but the automatic reply.
 */
async function beginningOf(
  { store, address, until }: AddressErasure,
  { _id: conversationId, customerId }: Stored<ConversationRecord>,
): Promise<'alone' | boolean> {
  if (customerId !== null) return false
  const { rows, nextCursor } = await store.messages.list({
    conversationId,
    sort: 'createdAt',
    page: 1,
    limit: ownMax,
  })
  const isTheirs = (row: StoredMessage) => strangerAddressOf(row) === address && row.createdAt <= until
  const isMachine = ({ direction, email }: StoredMessage) =>
    direction === 'outbound' && email?.automated === true
  const isAlone = nextCursor === null && rows.every((row) => isTheirs(row) || isMachine(row))
  return isAlone ? 'alone' : rows[0] !== undefined && isTheirs(rows[0])
}

import { type DomainEvent, type IdFactory, type Message, messageUpdatedEvent } from '@crmkit/core'
import type { TenantReads } from '../ports/storage.ts'
import { customerOfRecord } from './customer-of-record.ts'

/**
 * Returns the event of another status of a message, whoever reports it: the sending of mail, a bounce, or a program that
 * delivers by itself. Empty when the conversation was deleted.
 */
export async function messageStatusEvents(
  { store, ids, now }: { store: TenantReads; ids: IdFactory; now: string },
  { before, message }: { before: Message; message: Message },
): Promise<DomainEvent[]> {
  const conversation = await store.conversations.find(message.conversationId)
  if (conversation === undefined) return []
  const customer =
    conversation.customerId === null ? undefined : await store.customers.find(conversation.customerId)
  const parts = {
    message,
    conversation,
    customer: customer ? customerOfRecord(customer) : null,
    isAuthorRestricted: await isAuthorRestricted(store, message.sender),
    nextEventId: () => ids.next('evt'),
    now,
  }
  return [messageUpdatedEvent(parts, { status: { from: before.status, to: message.status } })]
}

/** The author, not the caller: whoever changes the status, the event names nobody who has restricted their data. */
async function isAuthorRestricted(store: TenantReads, { type, _id }: Message['sender']): Promise<boolean> {
  const author = type === 'user' && _id !== null ? await store.users.find(_id) : undefined
  return author?.processingRestricted ?? false
}

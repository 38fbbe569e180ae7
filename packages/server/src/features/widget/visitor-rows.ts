import { Failure, invalidState, notFound } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { isBlockedCustomer } from '../../shared/is-blocked-address.ts'
import type { AddressReads } from '../../shared/people-of-address.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { WidgetSession } from '../../storage/kinds/widget-sessions.ts'
import type { Stored } from '../../storage/records.ts'
import { sendKeptMs, widgetSendId } from '../../storage/rules/widget.ts'
import type { Visitor } from '../caller.ts'

/** Returns the session as it is now. Throws AUTH_REQUIRED when it has ended since the request was accepted. */
export async function getSession(store: TenantReads, { _id }: Visitor): Promise<Stored<WidgetSession>> {
  const session = await store.widgetSessions.find(_id)
  if (session !== undefined) return session
  throw new Failure('AUTH_REQUIRED', 'The session of the visitor has ended')
}

type Owned = Pick<WidgetSession | ConversationRecord, 'customerId'>

/**
 * Throws INVALID_STATE when the customer as whom a visitor writes is blocked: that of the conversation, or else the visitor's own. No
 * 403: by that the widget would switch itself off, and hide what the visitor has read.
 */
export async function assertNotBlocked(
  store: AddressReads,
  session: Owned,
  conversation?: Owned,
): Promise<void> {
  const customerId = conversation?.customerId ?? session.customerId
  const customer = customerId === null ? undefined : await store.customers.find(customerId)
  if (customer === undefined || !(await isBlockedCustomer(store, customer))) return
  throw invalidState('The team takes no messages in this chat', 'blocked', ['unblocked'])
}

/** Returns a conversation of the visitor. Throws NOT_FOUND for every other one, also for one of the same tenant. */
export async function getConversation(
  store: TenantReads,
  { session }: Visitor,
  id: string,
): Promise<Stored<ConversationRecord>> {
  const conversation = await store.conversations.find(id)
  if (conversation === undefined || conversation.visitorId !== session.visitorId) throw notFound()
  return conversation
}

/** Returns the ids that the visitor has had: a message that was sent before `identify` may be repeated after it. */
function idsOf({ visitorId, formerVisitorId }: WidgetSession): string[] {
  return formerVisitorId === null ? [visitorId] : [visitorId, formerVisitorId]
}

/** Returns the message that this visitor has sent with a `clientMessageId`; undefined for a new one. */
export async function findSent(store: TenantReads, session: WidgetSession, clientMessageId: string) {
  const ids = idsOf(session).map((visitorId) => widgetSendId({ visitorId, clientMessageId }))
  const sends = await Promise.all(ids.map((id) => store.widgetSends.find(id)))
  const send = sends.find((found) => found !== undefined)
  if (send === undefined) return undefined
  const [conversation, message] = await Promise.all([
    store.conversations.find(send.conversationId),
    store.messages.find(send.messageId),
  ])
  return conversation && message && { conversation, message }
}

interface NewSend {
  session: WidgetSession
  clientMessageId: string
  conversationId: string
  messageId: string
  now: string
}

/** Returns the row that makes a repeated request find its message. Of two equal requests at once, one conflicts. */
export function sendWrite({ session, clientMessageId, now, ...of }: NewSend): Write<'widgetSends'> {
  const { tenantId, visitorId } = session
  const expiresAt = new Date(Date.parse(now) + sendKeptMs).toISOString()
  const _id = widgetSendId({ visitorId, clientMessageId })
  return { op: 'insert', kind: 'widgetSends', row: { _id, tenantId, ...of, createdAt: now, expiresAt } }
}

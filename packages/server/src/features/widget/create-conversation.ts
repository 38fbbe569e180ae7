import {
  type Customer,
  conversationAfterMessage,
  type createWidgetConversation,
  type DomainEvent,
  messageEvent,
  newCustomer,
  newMessage,
  newWidgetConversation,
  validationFailure,
  visitorName,
} from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import { byCustomer, createdLog } from '../../shared/conversation-log.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { withContact } from '../../shared/last-contact.ts'
import type { WidgetSession } from '../../storage/kinds/widget-sessions.ts'
import type { Stored } from '../../storage/records.ts'
import type { Visitor } from '../caller.ts'
import { chooseAssignee } from '../conversations/choose-assignee.ts'
import { customerGuard } from '../conversations/conversation-references.ts'
import { findMessageAttachments } from '../conversations/message-attachments.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { showConversation, showMessage } from './show-to-visitor.ts'
import { assertNotBlocked, findSent, getSession, sendWrite } from './visitor-rows.ts'

export const handleCreateWidgetConversation: Handler<typeof createWidgetConversation> = async (
  ctx,
  { body },
) => {
  const { store, ids, now, tenantId, actor, mountPath, services } = ctx
  const { clientMessageId } = body
  const session = await getSession(store, actor)
  const sent = await findSent(store, session, clientMessageId)
  if (sent) {
    const shown = await showConversation(store, sent.conversation)
    const data = { ...shown, message: await showMessage(store, sent.message) }
    return { status: 200, reply: { success: true, data } }
  }
  await assertNotBlocked(store, session)
  const widgetSessionId = session._id
  const named = { ids: body.attachments, field: 'attachments', now, mountPath, widgetSessionId }
  const attachments = await findMessageAttachments(store, named)
  if (attachments.problems.length > 0) throw validationFailure(attachments.problems)
  const author = await customerOf(ctx, session)
  const { customer } = author
  const { inboxId, page } = session
  const inbox = await store.inboxes.find(inboxId)
  const assignedTo = await chooseAssignee({ store, roundRobin: services.roundRobin, now }, inbox)
  const begun = newWidgetConversation(body, {
    id: ids.next('con'),
    tenantId,
    now,
    inboxId,
    customerId: customer._id,
    assignedTo,
    page,
    files: attachments.shown,
  })
  const message = newMessage(
    { content: body.message, direction: 'inbound', clientMessageId },
    {
      id: ids.next('msg'),
      conversation: begun,
      customer,
      author: { type: 'customer', _id: customer._id, name: null },
      attachments: attachments.shown,
      now,
    },
  )
  const conversation = { ...begun, ...conversationAfterMessage(begun, message) }
  const nextEventId = () => ids.next('evt')
  const log = createdLog(ctx, { conversation, customer, by: byCustomer(customer._id) })
  const events = [
    ...author.events,
    ...log.events,
    messageEvent({ message, conversation, customer, isAuthorRestricted: false, nextEventId, now }),
  ].filter((event) => event !== undefined)
  const { visitorId } = session
  const writes: Write[] = [
    ...author.writes,
    { op: 'insert', kind: 'conversations', row: { ...conversation, visitorId } },
    ...log.writes,
    { op: 'insert', kind: 'messages', row: message },
    ...attachments.writesFor(message._id),
    sendWrite({
      session,
      clientMessageId,
      conversationId: conversation._id,
      messageId: message._id,
      now,
    }),
  ]
  const shown = await showConversation(store, conversation)
  const data = { ...shown, message: await showMessage(store, message) }
  return {
    change: { writes: withContact(writes, customer, message), events },
    reply: { success: true, data },
  }
}

interface Author {
  customer: Customer
  writes: Write[]
  events: DomainEvent[]
}

/** Returns the customer of the visitor. The first message of an anonymous one makes it. */
async function customerOf(
  { store, ids, now, tenantId }: HandlerContext<Visitor>,
  session: Stored<WidgetSession>,
): Promise<Author> {
  const { customerId } = session
  const known = customerId === null ? undefined : await store.customers.find(customerId)
  if (known) return { customer: customerOfRecord(known), writes: customerGuard(known._id), events: [] }
  const { firstName = null, lastName = null, email = null } = session.profile ?? {}
  const given = { firstName: firstName ?? (lastName === null ? visitorName : null), lastName, email }
  const making = { id: ids.next('cus'), tenantId, now, eventId: ids.next('evt') }
  const { customer, event } = newCustomer(given, making)
  const { visitorId, _id: id, version: expectVersion } = session
  const row = { ...customer, visitorId, ...(email !== null && { typedEmail: email }) }
  const set = { customerId: customer._id, updatedAt: now }
  return {
    customer,
    writes: [
      { op: 'insert', kind: 'customers', row },
      { op: 'update', kind: 'widgetSessions', id, expectVersion, set },
    ],
    events: [event],
  }
}

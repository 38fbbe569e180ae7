import {
  conversationAfterMessage,
  type createConversation,
  messageEvent,
  newConversation,
  newMessage,
} from '@crmkit/core'
import { queueReply } from '../../mail/out/queue-reply.ts'
import type { Write } from '../../ports/change.ts'
import { createdLog } from '../../shared/conversation-log.ts'
import { withContact } from '../../shared/last-contact.ts'
import type { Handler } from '../handler.ts'
import { authorOf, isRestricted } from './author.ts'
import { chooseAssignee } from './choose-assignee.ts'
import { assertReferences, customerGuard, findCustomerOf } from './conversation-references.ts'
import { mentionChange, mentionedUsers } from './mentions.ts'
import { findMessageAttachments } from './message-attachments.ts'
import { withSafeContent } from './message-content.ts'
import { enteredSignals, firstReadWrite } from './read-state.ts'

export const handleCreateConversation: Handler<typeof createConversation> = async (ctx, { body }) => {
  const { store, ids, now, tenantId, actor, services } = ctx
  const firstMessage = body.message ? withSafeContent(body.message, 'message.content') : undefined
  const attachments = await findMessageAttachments(store, {
    ids: body.message?.attachments,
    field: 'message.attachments',
    now,
    mountPath: ctx.mountPath,
  })
  const { inbox } = await assertReferences(store, body, attachments.problems)
  const customer = await findCustomerOf(store, body.customerId ?? null)
  const { roundRobin } = services
  const assignedTo = body.assignedTo ?? (await chooseAssignee({ store, roundRobin, now }, inbox))
  let conversation = newConversation({ ...body, assignedTo }, { id: ids.next('con'), tenantId, now })
  const mentions = firstMessage ? await mentionedUsers(store, { body: firstMessage, actor }) : []
  const created = firstMessage && {
    ...newMessage(firstMessage, {
      id: ids.next('msg'),
      conversation,
      customer,
      author: authorOf(actor),
      attachments: attachments.shown,
      now,
    }),
    mentions,
  }
  const queued =
    created &&
    firstMessage &&
    (await queueReply(ctx, {
      message: created,
      conversation,
      customer,
      body: firstMessage,
      fieldPrefix: 'message.',
      inbox,
      history: [],
    }))
  const message = queued?.message
  if (message) conversation = { ...conversation, ...conversationAfterMessage(conversation, message) }

  const log = createdLog(ctx, { conversation, customer, by: authorOf(actor) })
  const writes: Write[] = [
    { op: 'insert', kind: 'conversations', row: conversation },
    ...customerGuard(body.customerId),
    ...log.writes,
  ]
  const { events } = log
  if (message) {
    writes.push(
      { op: 'insert', kind: 'messages', row: message },
      ...(queued?.writes ?? []),
      ...attachments.writesFor(message._id),
    )
    const isAuthorRestricted = isRestricted(ctx.actor)
    const nextEventId = () => ids.next('evt')
    const informed = mentionChange(ctx, { message, conversation })
    writes.push(...informed.writes)
    events.push(
      messageEvent({ message, conversation, customer, isAuthorRestricted, nextEventId, now }),
      ...informed.events,
    )
  }
  if (message && actor.type === 'user')
    writes.push(firstReadWrite({ userId: actor._id, conversation, readSeq: conversation.seq, now }))
  const unread = actor.type === 'user' ? { count: 0, firstMessageId: null } : null
  const live = message ? enteredSignals(ctx, conversation, message) : []
  const contacted = message ? withContact(writes, customer, message) : writes
  const change = { writes: contacted, events, ...queued?.expects }
  return { change, reply: { success: true, data: { ...conversation, unread } }, live }
}

import { type createWidgetMessage, validationFailure } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import { customerGuard, findCustomerOf } from '../conversations/conversation-references.ts'
import { messageChange } from '../conversations/create-message.ts'
import { findMessageAttachments } from '../conversations/message-attachments.ts'
import type { Handler } from '../handler.ts'
import { assertFirstChoice, choiceWrites, findChoice } from './made-choice.ts'
import { showMessage } from './show-to-visitor.ts'
import { assertNotBlocked, findSent, getConversation, getSession, sendWrite } from './visitor-rows.ts'

export const handleCreateWidgetMessage: Handler<typeof createWidgetMessage> = async (
  ctx,
  { params, body },
) => {
  const { store, now, actor, mountPath } = ctx
  const { clientMessageId } = body
  const before = await getConversation(store, actor, params.id)
  const session = await getSession(store, actor)
  const sent = await findSent(store, session, clientMessageId)
  if (sent) return { status: 200, reply: { success: true, data: await showMessage(store, sent.message) } }
  await assertNotBlocked(store, session, before)
  const { chosen, problems } = await findChoice(store, before, body.choice)
  // Of a conversation that has no customer any more, the visitor's own is the author: the words are erased with somebody.
  const ownId = before.customerId === null ? session.customerId : null
  const own = await findCustomerOf(store, ownId)
  const widgetSessionId = session._id
  const named = { ids: body.attachments, field: 'attachments', now, mountPath, widgetSessionId }
  const attachments = await findMessageAttachments(store, named)
  problems.push(...attachments.problems)
  if (problems.length > 0) throw validationFailure(problems)
  assertFirstChoice(chosen)
  const { change, message } = await messageChange(ctx, {
    before,
    body: { content: chosen?.label ?? body.content, direction: 'inbound', clientMessageId },
    author: { type: 'customer', _id: before.customerId, name: null },
    isAuthorRestricted: false,
    attachments,
    writer: own ?? undefined,
    finish: (made) => ({ ...made, choice: chosen?.choice ?? null }),
  })
  const { _id: conversationId } = before
  const send: Write = sendWrite({ session, clientMessageId, conversationId, messageId: message._id, now })
  return {
    change: {
      ...change,
      writes: [...change.writes, ...choiceWrites(chosen, message), ...customerGuard(own?._id), send],
    },
    reply: { success: true, data: await showMessage(store, message) },
  }
}

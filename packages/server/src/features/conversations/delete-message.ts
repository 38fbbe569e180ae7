import { type deleteMessage, invalidState, makeEvent, notFound } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { MailSend } from '../../storage/kinds/mail-sends.ts'
import type { Handler } from '../handler.ts'
import { freedAttachments } from './message-attachments.ts'

/** Takes a reply back before its first attempt. The attempt would claim the row of the send, so one of the two conflicts. */
export const handleDeleteMessage: Handler<typeof deleteMessage> = async (ctx, { params: { id } }) => {
  const { store, ids, now } = ctx
  const [message, send] = await Promise.all([store.messages.find(id), store.mailSends.find(id)])
  if (message === undefined) throw notFound()
  if (send === undefined || !isWaiting(send, now))
    throw invalidState('Only a reply that waits to be sent can be taken back', message.status, ['queued'])
  const writes: Write[] = [
    removalOf('mailSends', send),
    removalOf('messages', message),
    { op: 'patch', kind: 'conversations', id: message.conversationId, increment: { messageCount: -1 } },
    ...(await freedAttachments(
      store,
      message.attachments.map(({ _id }) => _id),
      now,
    )),
  ]
  const subjects = [id, message.conversationId]
  const event = makeEvent({
    id: ids.next('evt'),
    type: 'message.deleted',
    now,
    subjects,
    data: { _id: id },
  })
  return {
    change: { writes, events: [event] },
    audit: { action: 'message.takenBack', target: { type: 'message', _id: id } },
    reply: { success: true, message: 'Message taken back' },
  }
}

function isWaiting({ status, lockToken, attempts, sendAt }: MailSend, now: string): boolean {
  return status === 'queued' && lockToken === null && attempts.length === 0 && now < sendAt
}

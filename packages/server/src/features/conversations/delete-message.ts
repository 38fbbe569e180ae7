import { type deleteMessage, foldedFacts, invalidState, makeEvent, notFound } from '@crmkit/core'
import type { Change, Write } from '../../ports/change.ts'
import { bySystem, changedLog } from '../../shared/conversation-log.ts'
import { assertNotMerged } from '../../shared/merged-conversation.ts'
import { newestMessages } from '../../shared/message-status-change.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { MailSend } from '../../storage/kinds/mail-sends.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { findCustomerOf } from './conversation-references.ts'
import { freedAttachments } from './message-attachments.ts'

/** Takes a reply back before its first attempt. The attempt would claim the row of the send, so one of the two conflicts. */
export const handleDeleteMessage: Handler<typeof deleteMessage> = async (ctx, { params: { id } }) => {
  const { store, ids, now } = ctx
  const [message, send] = await Promise.all([store.messages.find(id), store.mailSends.find(id)])
  if (message === undefined) throw notFound()
  if (send === undefined || !isWaiting(send, now))
    throw invalidState('Only a reply that waits to be sent can be taken back', message.status, ['queued'])
  const conversation = await withoutReply(ctx, send)
  const writes: Write[] = [
    removalOf('mailSends', send),
    removalOf('messages', message),
    ...conversation.writes,
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
    change: { writes, events: [event, ...conversation.events] },
    audit: { action: 'message.takenBack', target: { type: 'message', _id: id } },
    reply: { success: true, message: 'Message taken back' },
  }
}

/** The conversation gets back what the reply has changed: its last message, and since when the customer waits. */
async function withoutReply(
  { store, ids, now }: Pick<HandlerContext, 'store' | 'ids' | 'now'>,
  { _id: messageId, conversationId: id, waitedSince = null, waitedSeq }: MailSend,
): Promise<Change> {
  const before = await store.conversations.find(id)
  if (before === undefined) return { writes: [], events: [] }
  assertNotMerged(before)
  const rest = (await newestMessages(store, id)).filter(({ _id }) => _id !== messageId)
  const { lastMessageAt, lastMessageId, lastMessage, waitingSince } = foldedFacts(before, rest)
  const set: Partial<ConversationRecord> = {
    lastMessageAt,
    lastMessageId,
    lastMessage,
    // Nobody has written since: what the reply has ended goes on.
    waitingSince: waitedSeq !== undefined && waitedSeq === before.seq ? waitedSince : waitingSince,
  }
  const messageCount = before.messageCount - 1
  const customer = await findCustomerOf(store, before.customerId)
  const conversation = { ...withoutVersion(before), ...set, messageCount }
  const changes = { messageCount: { from: before.messageCount, to: messageCount } }
  const log = changedLog({ ids, now }, { conversation, customer, changes, by: bySystem })
  return {
    writes: [
      ...log.writes,
      {
        op: 'patch',
        kind: 'conversations',
        id,
        increment: { messageCount: -1 },
        set,
        when: { seq: before.seq },
      },
    ],
    events: log.events,
  }
}

function isWaiting({ status, lockToken, attempts, sendAt }: MailSend, now: string): boolean {
  return status === 'queued' && lockToken === null && attempts.length === 0 && now < sendAt
}

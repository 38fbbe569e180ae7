import type { Conversation } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { completeWidget } from '../../shared/widget-page.ts'
import type { ChatMails } from '../../storage/kinds/chat-mails.ts'

/** A visitor who was away for so long gets a mail with the replies that they have not read. */
export const awayMs = 5 * 60_000

/** Returns the row of a conversation before anything was mailed. */
export function newChatMails(
  { _id, tenantId }: Pick<Conversation, '_id' | 'tenantId'>,
  { dueAt, now }: { dueAt: string | null; now: string },
): ChatMails {
  const empty = { mailedAt: [], transcribedAt: [], stopped: [] }
  return { _id, tenantId, conversationId: _id, dueAt, ...empty, createdAt: now, updatedAt: now }
}

/**
 * Returns the writes by which unread replies of a conversation are looked at when the visitor has been away; none where the inbox
 * mails no replies. A look that is planned already stays: it finds this reply too.
 */
export async function chatMailWrites(
  store: Pick<TenantReads, 'inboxes' | 'chatMails'>,
  conversation: Pick<Conversation, '_id' | 'tenantId' | 'inboxId'>,
  now: string,
): Promise<Write[]> {
  const inbox = conversation.inboxId === null ? undefined : await store.inboxes.find(conversation.inboxId)
  if (inbox === undefined || !completeWidget(inbox).replyByMail.enabled) return []
  const dueAt = isoTime(Date.parse(now) + awayMs)
  const row = await store.chatMails.find(conversation._id)
  // Of two first replies at once one conflicts and then finds the row of the other.
  if (row === undefined)
    return [{ op: 'insert', kind: 'chatMails', row: newChatMails(conversation, { dueAt, now }) }]
  return [{ op: 'patch', kind: 'chatMails', id: row._id, setIfNull: { dueAt } }]
}

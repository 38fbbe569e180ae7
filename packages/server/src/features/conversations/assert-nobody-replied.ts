import { conflict, type Message, maxNewerMessages } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { Actor } from '../caller.ts'

interface ReplyCheck {
  conversation: ConversationRecord
  /** `seq` of the conversation as the caller last saw it. */
  knownSeq: number
  actor: Pick<Actor, 'type' | '_id'>
}

/** Throws CONFLICT when `findReply` finds one: its details name it. */
export async function assertNobodyReplied(store: TenantReads, check: ReplyCheck): Promise<void> {
  const newest = await findReply(store, check)
  if (newest === undefined) return
  const { sender, createdAt: at, _id: messageId } = newest
  const { seq = 0 } = check.conversation
  throw conflict('Somebody else has answered in the meantime', { by: sender, at, messageId, seq })
}

/**
 * Returns the newest reply or note of somebody else of the team since the caller looked; undefined without one. A message
 * of the customer, and an automatic one, stops nobody.
 */
export async function findReply(
  store: TenantReads,
  { conversation, knownSeq, actor }: ReplyCheck,
): Promise<Pick<Message, '_id' | 'sender' | 'createdAt'> | undefined> {
  const limit = Math.min((conversation.seq ?? 0) - knownSeq, maxNewerMessages)
  if (limit <= 0) return undefined
  const { rows } = await store.messages.listRows({
    conversationId: conversation._id,
    sort: '-createdAt',
    limit,
    page: 1,
  })
  return rows.find((message) => isByColleague(message, actor))
}

function isByColleague(
  { sender, direction }: Pick<Message, 'sender' | 'direction'>,
  actor: ReplyCheck['actor'],
) {
  if (direction === 'inbound' || (sender.type !== 'user' && sender.type !== 'api')) return false
  return sender._id !== actor._id
}

import { conflict, type Message, maxNewerMessages } from '@crmkit/core'
import type { TenantStore } from '../../ports/storage.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { Actor } from '../caller.ts'

interface ReplyCheck {
  conversation: ConversationRecord
  /** `seq` of the conversation as the caller last saw it. */
  knownSeq: number
  actor: Pick<Actor, 'type' | '_id'>
}

/**
 * Throws CONFLICT when somebody else of the team has written to the conversation since the caller looked: its details name
 * the newest such message. A message of the customer, and an automatic one, refuses nobody.
 */
export async function assertNobodyReplied(
  store: TenantStore,
  { conversation, knownSeq, actor }: ReplyCheck,
): Promise<void> {
  const { seq = 0 } = conversation
  const limit = Math.min(seq - knownSeq, maxNewerMessages)
  if (limit <= 0) return
  const { rows } = await store.messages.list({
    conversationId: conversation._id,
    sort: '-createdAt',
    limit,
    page: 1,
  })
  const newest = rows.find((message) => isByColleague(message, actor))
  if (newest === undefined) return
  const { sender, createdAt: at, _id: messageId } = newest
  throw conflict('Somebody else has answered in the meantime', { by: sender, at, messageId, seq })
}

function isByColleague(
  { sender, direction }: Pick<Message, 'sender' | 'direction'>,
  actor: ReplyCheck['actor'],
) {
  if (direction === 'inbound' || (sender.type !== 'user' && sender.type !== 'api')) return false
  return sender._id !== actor._id
}

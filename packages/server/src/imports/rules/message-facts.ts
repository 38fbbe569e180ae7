import { asksForReply, lastMessageFields, type StoredMessage } from '@crmkit/core'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'

export const factNames = ['lastMessageAt', 'lastMessageId', 'lastMessage', 'lastCustomerMessageAt'] as const
type Facts = Pick<ConversationRecord, (typeof factNames)[number]>

/** Returns the fields of a conversation about its messages, for the undo of a run. */
export function factsOf(conversation: ConversationRecord): Facts {
  const { lastMessageAt, lastMessageId = null, lastMessage, lastCustomerMessageAt } = conversation
  return { lastMessageAt, lastMessageId, lastMessage, lastCustomerMessageAt }
}

/**
 * Returns the fields of a conversation about its messages after an imported one. Nobody waits because of it. The source may have said when
 * the last message was, before this one is read.
 */
export function importedFacts(conversation: ConversationRecord, message: StoredMessage): Facts {
  const known = factsOf(conversation)
  const { _id, createdAt: at, type } = message
  if (type !== 'reply') return known
  const { lastMessage, lastMessageAt, lastCustomerMessageAt } = known
  const isNewer =
    lastMessage === null || at > lastMessage.at || (at === lastMessage.at && _id > lastMessage._id)
  const isAsked = asksForReply(message) && at > (lastCustomerMessageAt ?? '')
  return {
    ...known,
    ...(isNewer && lastMessageFields(message)),
    lastMessageAt: lastMessageAt === null || at > lastMessageAt ? at : lastMessageAt,
    lastCustomerMessageAt: isAsked ? at : lastCustomerMessageAt,
  }
}

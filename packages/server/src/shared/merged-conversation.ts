import { type Conversation, conversationStatuses, mergedConversation } from '@crmkit/core'
import type { TenantReads } from '../ports/storage.ts'
import type { ConversationRecord } from '../storage/kinds/conversations.ts'

/** The states that lists of the API ask for when nobody has chosen some: a merged conversation is stored in none of them. */
export const listedStatuses = [...conversationStatuses]

/** Throws INVALID_STATE for a conversation that was merged into another one: nothing of it changes until the merge is taken back. */
export function assertNotMerged({ mergedInto = null }: Pick<Conversation, 'mergedInto'>): void {
  if (mergedInto !== null) throw mergedConversation(mergedInto)
}

/** Returns the conversation that shows the messages of this one: the target of its merge, or itself. */
export async function mergeTargetOf<C extends ConversationRecord | undefined>(
  store: Pick<TenantReads, 'conversations'>,
  conversation: C,
): Promise<C> {
  const { mergedInto = null } = conversation ?? {}
  if (mergedInto === null) return conversation
  return ((await store.conversations.find(mergedInto)) ?? conversation) as C
}

/** Returns the filter of the rows that a conversation shows: its own and those of the conversations that were merged into it. */
export function rowsShownIn({
  _id,
  mergedFrom = [],
}: Pick<Conversation, '_id'> & { mergedFrom?: string[] }):
  | { conversationId: string }
  | { conversationIds: string[] } {
  return mergedFrom.length === 0 ? { conversationId: _id } : { conversationIds: [_id, ...mergedFrom] }
}

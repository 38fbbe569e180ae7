import { foldedFacts } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { newestMessages } from '../../shared/message-status-change.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'

type Facts = Pick<
  ConversationRecord,
  'lastMessageAt' | 'lastMessageId' | 'lastMessage' | 'lastCustomerMessageAt' | 'waitingSince'
>

const earlier = (a: string | null, b: string | null) => (a === null || (b !== null && b < a) ? b : a)
const later = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a)

/**
 * Returns the counts and times of the target with those of the source. No words of the source are copied: an erasure would not find
 * them in the target.
 */
export function factsOfBoth(target: ConversationRecord, source: ConversationRecord) {
  const { lastMessageAt, lastMessage = null } = source
  const isNewer = lastMessageAt !== null && lastMessageAt > (target.lastMessageAt ?? '')
  const newest = isNewer && {
    lastMessageAt,
    lastMessageId: lastMessage?._id ?? null,
    lastMessage: lastMessage && { ...lastMessage, preview: null },
  }
  return {
    counts: {
      messageCount: target.messageCount + source.messageCount,
      seq: (target.seq ?? 0) + (source.seq ?? 0),
    },
    newest: newest || {},
    lastCustomerMessageAt: later(target.lastCustomerMessageAt, source.lastCustomerMessageAt),
    waitingSince: earlier(target.waitingSince, source.waitingSince),
  }
}

/** Returns the times of the target as its own messages have them. Sources that stay merged count as they did at their merge. */
export async function factsWithout(
  store: TenantReads,
  { target, source }: { target: ConversationRecord; source: ConversationRecord },
): Promise<Facts> {
  let facts: Facts = foldedFacts(target, await newestMessages(store, target._id))
  for (const id of target.mergedFrom ?? []) {
    const other = id === source._id ? undefined : await store.conversations.find(id)
    if (other === undefined) continue
    const { counts: _counts, newest, ...times } = factsOfBoth({ ...target, ...facts }, other)
    facts = { ...facts, ...times, ...newest }
  }
  return facts
}

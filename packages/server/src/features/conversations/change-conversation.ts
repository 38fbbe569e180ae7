import type { ActivityActor, Changes, Conversation } from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import { changedLog } from '../../shared/conversation-log.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'
import type { HandlerContext } from '../handler.ts'
import { findCustomerOf } from './conversation-references.ts'

interface Changed {
  before: Stored<Conversation>
  conversation: Conversation
  changes: Changes
  by: ActivityActor
}

/** Returns the change of an operation that changes a conversation, and the conversation after it; without changes it writes nothing. */
export async function conversationChange(
  ctx: Pick<HandlerContext, 'store' | 'ids' | 'now'>,
  changed: Changed,
): Promise<{ change?: Change; conversation: Conversation }> {
  const { store } = ctx
  const { before, by } = changed
  const { conversation, changes } = await withoutDeletedAssignee(store, changed)
  if (Object.keys(changes).length === 0) return { conversation: withoutVersion(before) }
  const customer = await findCustomerOf(store, conversation.customerId)
  const log = changedLog(ctx, { conversation, customer, changes, by })
  return {
    change: {
      writes: [
        {
          op: 'update',
          kind: 'conversations',
          id: before._id,
          expectVersion: before.version,
          set: written(conversation, changes),
        },
        ...log.writes,
      ],
      events: log.events,
    },
    conversation,
  }
}

/** A closed conversation keeps its assignee; when it is opened again and the user was deleted, it is unassigned. */
async function withoutDeletedAssignee(
  store: HandlerContext['store'],
  { conversation, changes }: Pick<Changed, 'conversation' | 'changes'>,
): Promise<Pick<Changed, 'conversation' | 'changes'>> {
  const { assignedTo } = conversation
  if (changes['status']?.from !== 'closed' || assignedTo === null) return { conversation, changes }
  if ((await store.users.find(assignedTo)) !== undefined) return { conversation, changes }
  return {
    conversation: { ...conversation, assignedTo: null },
    changes: { ...changes, assignedTo: { from: assignedTo, to: null } },
  }
}

/** Returns only the changed fields, so that counters which messages raise in the meantime are never set back. */
function written(conversation: Conversation, changes: Changes): Partial<Conversation> {
  const set: Partial<Conversation> = { updatedAt: conversation.updatedAt }
  for (const path of Object.keys(changes)) {
    const field = path.split('.', 1)[0] as keyof Conversation
    Object.assign(set, { [field]: conversation[field] })
  }
  return set
}

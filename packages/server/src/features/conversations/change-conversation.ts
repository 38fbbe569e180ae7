import {
  type ActivityActor,
  type Changes,
  type Conversation,
  conflict,
  type ExpectedConversation,
  invalidState,
  notFound,
  type UpdateConversationBody,
  updatedConversation,
} from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import { changedLog } from '../../shared/conversation-log.ts'
import { assertNotMerged } from '../../shared/merged-conversation.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'
import type { HandlerContext } from '../handler.ts'
import { authorOf } from './author.ts'
import { findCustomerOf } from './conversation-references.ts'

interface Changed {
  before: Stored<Conversation>
  conversation: Conversation
  changes: Changes
  by: ActivityActor
}

/** Throws NOT_FOUND, and CONFLICT for a conversation that has other values than expected. */
export async function findExpected(
  store: HandlerContext['store'],
  id: string,
  expected: ExpectedConversation = {},
): Promise<Stored<Conversation>> {
  const before = await store.conversations.find(id)
  if (before === undefined) throw notFound()
  assertNotMerged(before)
  assertExpected(before, expected)
  return before
}

/** Values and not a version are compared, so that a label that somebody adds in the meantime stops nobody. */
function assertExpected(conversation: Conversation, expected: ExpectedConversation): void {
  const changed = Object.entries(expected).flatMap(([field, value]) => {
    const actual: unknown = Reflect.get(conversation, field)
    return actual === value ? [] : [[field, { expected: value, actual }]]
  })
  if (changed.length > 0)
    throw conflict('Somebody else has changed the conversation in the meantime', {
      changed: Object.fromEntries(changed),
    })
}

/** The change that these fields make, whose references are judged already. Throws VALIDATION_ERROR. */
export function conversationUpdate(
  ctx: Pick<HandlerContext, 'store' | 'ids' | 'now' | 'actor'>,
  before: Stored<Conversation>,
  body: UpdateConversationBody,
): Promise<{ change?: Change; conversation: Conversation }> {
  const changed = updatedConversation(withoutVersion(before), body, ctx.now)
  // The conversations that were merged into it are of its customer too.
  if ('customerId' in changed.changes && (before.mergedFrom ?? []).length > 0)
    throw invalidState('The conversations that were merged into it have the same customer', 'merged', [])
  return conversationChange(ctx, { before, ...changed, by: authorOf(ctx.actor) })
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

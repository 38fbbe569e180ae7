import { updatedConversation } from '@crmkit/core'
import type { TaskStep } from '../../jobs/run-tasks.ts'
import type { Change } from '../../ports/change.ts'
import { withoutVersion } from '../../storage/records.ts'
import { conversationChange } from '../conversations/change-conversation.ts'
import { findDefaultInbox } from './find-default-inbox.ts'

/** Conversations of one commit; each brings an event. */
const pageSize = 100

/**
 * Moves to the default inbox what was put into one at the very moment when it was deleted: such a commit touches no
 * row of the deletion, so neither can see the other.
 */
export const emptyNextOfInbox: TaskStep = async (ctx, { subjectId }) => {
  const { store, now } = ctx
  const { rows } = await store.conversations.list({
    ...{ inboxId: subjectId, sort: 'createdAt', page: 1, limit: pageSize },
  })
  if (rows.length === 0) return undefined
  const inbox = await findDefaultInbox(store)
  if (inbox === undefined) throw new Error('the tenant has no default inbox')
  const changes: Change[] = []
  // One after the other: ids of events follow their order.
  for (const before of rows) {
    const changed = updatedConversation(withoutVersion(before), { inboxId: inbox._id }, now)
    const { change } = await conversationChange(ctx, { before, ...changed })
    if (change) changes.push(change)
  }
  return {
    writes: changes.flatMap(({ writes }) => writes),
    events: changes.flatMap(({ events }) => events),
  }
}

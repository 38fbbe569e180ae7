import { updatedConversation } from '@crmkit/core'
import type { TaskHandler } from '../../jobs/run-tasks.ts'
import type { Change } from '../../ports/change.ts'
import { bySystem } from '../../shared/conversation-log.ts'
import { findDefaultInbox } from '../../shared/find-default-inbox.ts'
import { withoutVersion } from '../../storage/records.ts'
import { conversationChange } from '../conversations/change-conversation.ts'

/** Conversations of one commit; each causes an event. */
const pageSize = 100

/**
 * Moves conversations to the default inbox that were put into an inbox while it was deleted: such a commit writes no
 * row of the deletion, so the two do not conflict.
 */
export const emptyNextOfInbox: TaskHandler = async (ctx, { subjectId }) => {
  const { store, now } = ctx
  const { rows } = await store.conversations.listRows({
    inboxId: subjectId,
    sort: 'createdAt',
    page: 1,
    limit: pageSize,
  })
  if (rows.length === 0) return undefined
  const inbox = await findDefaultInbox(store)
  if (inbox === undefined) throw new Error('the tenant has no default inbox')
  const changes: Change[] = []
  // Sequentially, so that the order of the ids is the order of the events.
  for (const before of rows) {
    const changed = updatedConversation(withoutVersion(before), { inboxId: inbox._id }, now)
    const { change } = await conversationChange(ctx, { before, ...changed, by: bySystem })
    if (change) changes.push(change)
  }
  return {
    writes: changes.flatMap(({ writes }) => writes),
    events: changes.flatMap(({ events }) => events),
  }
}

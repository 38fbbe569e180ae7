import { type Conversation, type Inbox, updatedConversation } from '@crmkit/core'
import type { Change, Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'
import { conversationChange } from '../conversations/change-conversation.ts'
import type { HandlerContext } from '../handler.ts'

type Parts = Pick<HandlerContext, 'store' | 'ids' | 'now'>

/** Conversations of one commit; each brings two events, with a delivery for every webhook. */
const pageSize = 100
const openStatuses = ['open', 'pending', 'snoozed'] as const

/**
 * The next page of what still names a user who goes: open conversations, which become unassigned, and the
 * members of inboxes. Empty when nothing does. A closed conversation keeps who closed it until it is opened again.
 */
export async function releaseUser(parts: Parts, userId: string): Promise<Change> {
  const { store } = parts
  const { rows } = await store.conversations.list({
    ...{ assignedTo: userId, status: [...openStatuses], sort: 'createdAt', page: 1, limit: pageSize },
  })
  const changes: Change[] = []
  // One after the other: ids of events follow their order.
  for (const before of rows) changes.push(await unassign(parts, before))
  const inboxes = await inboxesOf(store, userId)
  return {
    writes: [
      ...changes.flatMap(({ writes }) => writes),
      ...inboxes.map((inbox) => leave(inbox, userId, parts.now)),
    ],
    events: changes.flatMap(({ events }) => events),
  }
}

async function unassign(parts: Parts, before: Stored<Conversation>): Promise<Change> {
  const changed = updatedConversation(withoutVersion(before), { assignedTo: null }, parts.now)
  const { change } = await conversationChange(parts, { before, ...changed })
  return change ?? { writes: [], events: [] }
}

function leave({ _id: id, version, members }: Stored<Inbox>, userId: string, now: string): Write {
  const set = { members: members.filter((member) => member !== userId), updatedAt: now }
  return { op: 'update', kind: 'inboxes', id, expectVersion: version, set }
}

/** A tenant has few inboxes: all are read. */
async function inboxesOf(store: TenantStore, userId: string): Promise<Stored<Inbox>[]> {
  const found: Stored<Inbox>[] = []
  let cursor: string | undefined
  do {
    const page = await store.inboxes.list({ page: 1, limit: 100, cursor })
    found.push(...page.rows.filter(({ members }) => members.includes(userId)))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}

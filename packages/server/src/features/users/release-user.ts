import { type Conversation, updatedConversation } from '@crmkit/core'
import type { Change, Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { bySystem } from '../../shared/conversation-log.ts'
import { removalOf } from '../../shared/removal-of.ts'
import { wholeTeam } from '../../storage/kinds/canned-replies.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'
import { conversationChange } from '../conversations/change-conversation.ts'
import { deletedDraft } from '../conversations/drafts/find-draft.ts'
import type { HandlerContext } from '../handler.ts'

type Parts = Pick<HandlerContext, 'store' | 'ids' | 'now'>

/** Conversations of one commit; each causes two events, with a delivery for every webhook. */
const pageSize = 100
/** Each has up to ten files, which are freed in the same commit. */
const draftPageSize = 10
const openStatuses = ['open', 'pending', 'snoozed'] as const

/**
 * Returns the change for the next page of rows that still name a deleted user: open conversations, which become
 * unassigned, members of inboxes, drafts, canned replies, saved views, mentions, and how far the user has read. Empty when there are none. A closed conversation keeps its assignee until it is
 * opened again.
 */
export async function releaseUser(parts: Parts, userId: string): Promise<Change> {
  const { store } = parts
  const { rows } = await store.conversations.listRows({
    assignedTo: userId,
    status: [...openStatuses],
    sort: 'createdAt',
    page: 1,
    limit: pageSize,
  })
  const changes: Change[] = []
  // Sequentially, so that the order of the ids is the order of the events.
  for (const before of rows) changes.push(await unassign(parts, before))
  const inboxes = await inboxesOf(store, userId)
  const drafts = await store.drafts.listRows({ authorId: userId, page: 1, limit: draftPageSize })
  const deleted = await Promise.all(drafts.rows.map((draft) => deletedDraft(store, draft, parts.now)))
  const replies = await repliesOf(parts, userId)
  const views = await viewsOf(parts, userId)
  const reads = await store.conversationReads.listRows({ userId, page: 1, limit: pageSize })
  const mentions = await store.mentions.listRows({ userId, page: 1, limit: pageSize })
  return {
    writes: [
      ...deleted.flat(),
      ...replies,
      ...views,
      ...reads.rows.map((read) => removalOf('conversationReads', read)),
      ...mentions.rows.map((mention) => removalOf('mentions', mention)),
      ...changes.flatMap(({ writes }) => writes),
      ...inboxes.map((inbox) => leave(inbox, userId, parts.now)),
    ],
    events: changes.flatMap(({ events }) => events),
  }
}

/** Canned replies of the user alone end with them; those of the team stay without an owner. */
async function repliesOf({ store, now }: Parts, ownerId: string): Promise<Write[]> {
  const audience = [wholeTeam, ownerId]
  const { rows } = await store.cannedReplies.listRows({ audience, ownerId, page: 1, limit: pageSize })
  const set = { ownerId: null, updatedAt: now }
  return rows.map((row): Write => {
    const { _id: id, version: expectVersion, isShared } = row
    if (!isShared) return removalOf('cannedReplies', row)
    return { op: 'update', kind: 'cannedReplies', id, expectVersion, set }
  })
}

/** Views of the user alone end with them, those of the team stay without an owner, and a filter loses the user. */
async function viewsOf({ store, now }: Parts, userId: string): Promise<Write[]> {
  const page = { page: 1, limit: pageSize }
  const [owned, filtered] = await Promise.all([
    store.views.listRows({ ownerId: userId, ...page }),
    store.views.listRows({ assignedTo: userId, ...page }),
  ])
  const rows = new Map([...owned.rows, ...filtered.rows].map((row) => [row._id, row]))
  return [...rows.values()].map((row): Write => {
    const { _id: id, version: expectVersion, isShared, ownerId, assignedTo } = row
    if (!isShared && ownerId === userId) return removalOf('views', row)
    const set = {
      ...(ownerId === userId && { ownerId: null }),
      ...(assignedTo === userId && { assignedTo: null }),
      updatedAt: now,
    }
    return { op: 'update', kind: 'views', id, expectVersion, set }
  })
}

async function unassign(parts: Parts, before: Stored<Conversation>): Promise<Change> {
  const changed = updatedConversation(withoutVersion(before), { assignedTo: null }, parts.now)
  const { change } = await conversationChange(parts, { before, ...changed, by: bySystem })
  return change ?? { writes: [], events: [] }
}

function leave({ _id: id, version, members }: Stored<InboxRecord>, userId: string, now: string): Write {
  const set = { members: members.filter((member) => member !== userId), updatedAt: now }
  return { op: 'update', kind: 'inboxes', id, expectVersion: version, set }
}

/** Reads all inboxes: a tenant has few. */
async function inboxesOf(store: TenantReads, userId: string): Promise<Stored<InboxRecord>[]> {
  const found: Stored<InboxRecord>[] = []
  let cursor: string | undefined
  do {
    const page = await store.inboxes.listRows({ page: 1, limit: 100, cursor })
    found.push(...page.rows.filter(({ members }) => members.includes(userId)))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}

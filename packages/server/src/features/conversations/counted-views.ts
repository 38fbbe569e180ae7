import {
  type Conversation,
  countedUnreadMax,
  countedViews,
  mailNeedsYou,
  readSeqOf,
  type ViewCount,
} from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { conversationReadId } from '../../storage/kinds/conversation-reads.ts'

/** The part of a conversation on which the counts depend. */
export type CountedConversation = Pick<
  Conversation,
  '_id' | 'status' | 'assignedTo' | 'inboxId' | 'lastMessageAt' | 'seq' | 'waitingSince'
> &
  Partial<Pick<Conversation, 'mergedInto'>>

/** The user for whom conversations are counted. */
export interface CountedUser {
  _id: string
  createdAt: string
}

const notClosed = ['open', 'pending', 'snoozed'] as const
/** Few enough that no page holds the event loop for long. */
const pageSize = 250

/** Returns the names of all views of a tenant: those that every user has, and its inboxes. */
export async function listViews(store: TenantReads): Promise<string[]> {
  const inboxes: string[] = []
  for (let page = 1, size = 0; page === 1 || size === pageSize; page++) {
    const { rows } = await store.inboxes.listRows({ sort: '-createdAt', page, limit: pageSize })
    inboxes.push(...rows.map(({ _id }) => _id))
    size = rows.length
  }
  return [...countedViews, ...inboxes]
}

/** Returns whether nothing of a view is counted as unread. */
export function hasNoUnread(view: string): boolean {
  return view === 'closed' || view === 'unsent' || view === 'mentions' || view === mailNeedsYou
}

/** Returns the views that a conversation is in, except `mine`, which depends on the user. */
export function viewsOf(conversation: CountedConversation): string[] {
  const { status, assignedTo, inboxId, mergedInto = null } = conversation
  if (mergedInto !== null) return []
  if (status === 'closed') return [status]
  const views = [status, inboxId]
  if (assignedTo === null) views.push('unassigned')
  if (isInWaiting(conversation)) views.push('waiting')
  return views
}

/** A snooze is a decision to let the customer wait. */
export function isInWaiting({ status, waitingSince }: CountedConversation): boolean {
  return (status === 'open' || status === 'pending') && waitingSince !== null
}

/** Returns the conversations that are not closed, the last changed first, page by page, at most `most`. */
export async function* readNotClosed(
  store: TenantReads,
  most = countedUnreadMax,
): AsyncGenerator<CountedConversation[]> {
  let cursor: string | undefined
  for (let count = 0; count < most; count += pageSize) {
    const limit = Math.min(pageSize, most - count)
    const filter = { status: [...notClosed], sort: '-updatedAt', page: 1, limit, cursor } as const
    const { rows, nextCursor } = await store.conversations.listRows(filter)
    yield rows.map(({ _id, status, assignedTo, inboxId, lastMessageAt, seq = 0, waitingSince }) => {
      return { _id, status, assignedTo, inboxId, lastMessageAt, seq, waitingSince }
    })
    if (nextCursor === null) return
    cursor = nextCursor
  }
}

/**
 * Returns the `seq` up to which a user has read each of these conversations. The reads of one tick are one command on
 * MongoDB.
 */
export function readSeqsOf(
  store: TenantReads,
  user: CountedUser,
  conversations: readonly CountedConversation[],
): Promise<number[]> {
  return Promise.all(
    conversations.map(async (conversation) => {
      const id = conversationReadId({ userId: user._id, conversationId: conversation._id })
      const row = await store.conversationReads.find(id)
      return readSeqOf(conversation, { readSeq: row?.readSeq, userCreatedAt: user.createdAt })
    }),
  )
}

/** Returns the total of a view as every list shows it. */
export async function totalOf(
  store: TenantReads,
  { view, userId, now = '' }: { view: string; userId: string; now?: string },
): Promise<Pick<ViewCount, 'total' | 'isEstimate'>> {
  if (view === mailNeedsYou) {
    const mails = await store.inboundMails.list({ needsYou: 'yes', needsYouAt: now, page: 1, limit: 1 })
    return { total: mails.total, isEstimate: mails.totalIsEstimate }
  }
  if (view === 'unsent') {
    const drafts = await store.drafts.list({ unsentOf: userId, sort: '-updatedAt', page: 1, limit: 1 })
    return { total: drafts.total, isEstimate: drafts.totalIsEstimate }
  }
  if (view === 'mentions') {
    const unread = await store.mentions.list({ unreadOf: userId, page: 1, limit: 1 })
    return { total: unread.total, isEstimate: unread.totalIsEstimate }
  }
  const { total, totalIsEstimate } = await store.conversations.list({
    ...filterOf(view, userId),
    sort: '-updatedAt',
    page: 1,
    limit: 1,
  })
  return { total, isEstimate: totalIsEstimate }
}

function filterOf(view: string, userId: string) {
  if (view === 'mine') return { status: [...notClosed], assignedTo: userId }
  if (view === 'unassigned') return { status: [...notClosed], assignedTo: 'none' }
  if (view === 'waiting') return { status: ['open', 'pending'], waiting: true }
  if (view === 'open' || view === 'pending' || view === 'snoozed' || view === 'closed')
    return { status: [view] }
  return { status: [...notClosed], inboxId: view }
}

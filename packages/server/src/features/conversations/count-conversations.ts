import {
  type countConversations,
  countedUnreadMax,
  isRoleAtLeast,
  mailNeedsYou,
  referenceProblem,
  type ViewCount,
  validationFailure,
} from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { userOf } from '../caller.ts'
import type { Handler } from '../handler.ts'
import {
  type CountedConversation,
  type CountedUser,
  hasNoUnread,
  listViews,
  readNotClosed,
  readSeqsOf,
  totalOf,
  viewsOf,
} from './counted-views.ts'

export const handleCountConversations: Handler<typeof countConversations> = async (ctx, { query }) => {
  const { user } = userOf(ctx)
  const ofTenant = await listViews(ctx.store)
  const known = isRoleAtLeast(user.role, 'admin') ? [...ofTenant, mailNeedsYou] : ofTenant
  const asked = query.view ?? []
  if (asked.some((view) => !known.includes(view))) {
    throw validationFailure([{ ...referenceProblem('view'), in: 'query' }])
  }
  const views = asked.length > 0 ? asked : known
  return {
    reply: { success: true, data: { views: await countViews(ctx.store, { user, views, now: ctx.now }) } },
  }
}

interface Counted {
  user: CountedUser
  views: readonly string[]
  now: string
}

/** Counts the conversations of views for a user. */
async function countViews(
  store: TenantReads,
  { user, views, now }: Counted,
): Promise<Record<string, ViewCount>> {
  const isAnyRead = views.some((view) => !hasNoUnread(view))
  const read = isAnyRead ? await countNotClosed(store, user) : undefined
  const counts: [string, ViewCount][] = []
  for (const view of views) {
    const isListed = hasNoUnread(view) || read === undefined || !read.isComplete
    const total = isListed
      ? await totalOf(store, { view, userId: user._id, now })
      : { total: read.totals.get(view) ?? 0, isEstimate: false }
    counts.push([view, { ...total, unread: hasNoUnread(view) ? null : (read?.unread.get(view) ?? 0) }])
  }
  return Object.fromEntries(counts)
}

async function countNotClosed(store: TenantReads, user: CountedUser) {
  const [totals, unread] = [new Map<string, number>(), new Map<string, number>()]
  let count = 0
  for await (const page of readNotClosed(store)) {
    const readSeqs = await readSeqsOf(store, user, page)
    for (const [index, conversation] of page.entries()) {
      const isUnread = (conversation.seq ?? 0) > (readSeqs[index] ?? 0)
      for (const view of viewsFor(conversation, user)) {
        totals.set(view, (totals.get(view) ?? 0) + 1)
        if (isUnread) unread.set(view, (unread.get(view) ?? 0) + 1)
      }
    }
    count += page.length
  }
  return { totals, unread, isComplete: count < countedUnreadMax }
}

function viewsFor(conversation: CountedConversation, { _id }: CountedUser): string[] {
  const views = viewsOf(conversation)
  return conversation.assignedTo === _id ? [...views, 'mine'] : views
}

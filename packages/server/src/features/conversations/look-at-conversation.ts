import { type lookParts, lookRowsMax } from '@crmkit/core'
import { pageTotals } from '../../shared/reply-page.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { HandlerContext } from '../handler.ts'
import { draftsPage } from './drafts/read-drafts.ts'
import { replyRecipientsOf } from './list-reply-recipients.ts'
import { messagesPage } from './read-messages.ts'
import { activitiesPage } from './read-timeline.ts'

type LookPart = (typeof lookParts)[number]

const paging = { page: 1, limit: lookRowsMax }

/** Returns the parts of a look at a conversation that the caller asks for; null is one that they may not read. */
export async function lookAt(
  ctx: HandlerContext,
  conversation: ConversationRecord,
  parts: readonly LookPart[],
) {
  const has = (part: LookPart) => parts.includes(part)
  const id = conversation._id
  const mayReadCustomers = ctx.actor.permissions.includes('read:customers')
  const [messages, activities, drafts, recipients] = await Promise.all([
    has('messages') ? messagesPage(ctx, conversation, { ...paging, order: 'desc' }) : undefined,
    has('activities') ? activitiesPage(ctx, conversation, lookRowsMax) : undefined,
    has('drafts') ? draftsPage(ctx, id, paging) : undefined,
    has('recipients') && mayReadCustomers ? replyRecipientsOf(ctx, conversation) : null,
  ])
  return {
    ...(messages && { messages: pageOf(messages) }),
    ...(activities && { activities: pageOf(activities) }),
    ...(drafts && { drafts: pageOf(drafts) }),
    ...(has('recipients') && { recipients }),
  }
}

function pageOf<T>({ rows, ...page }: Parameters<typeof pageTotals>[0] & { rows: T[] }) {
  return { data: rows, pagination: pageTotals(page, paging) }
}

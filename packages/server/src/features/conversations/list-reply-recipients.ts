import { type listReplyRecipients, notFound, type ReplyRecipients } from '@crmkit/core'
import { suggestedRecipients } from '../../mail/out/queue-reply.ts'
import { findReplyBasis } from '../../mail/out/reply-basis.ts'
import type { TenantReads } from '../../ports/storage.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { Handler, HandlerContext } from '../handler.ts'

/** A signed person has few sessions at once, and the newest of them is where they are. */
const sessionsMax = 50

export const handleListReplyRecipients: Handler<typeof listReplyRecipients> = async (ctx, { params }) => {
  const conversation = await ctx.store.conversations.find(params.id)
  if (conversation === undefined) throw notFound()
  return { reply: { success: true, data: await replyRecipientsOf(ctx, conversation) } }
}

/** Returns how the next reply leaves, and who gets it: without read:customers no addresses and no names. */
export async function replyRecipientsOf(
  ctx: HandlerContext,
  conversation: ConversationRecord,
): Promise<ReplyRecipients> {
  const [{ basis, from, customer = null }, visitorSeenAt] = await Promise.all([
    findReplyBasis(ctx, conversation),
    findVisitorSeenAt(ctx.store, conversation),
  ])
  const { door } = basis
  const sendsMail = door === 'email'
  const { to, cc, offered } = sendsMail
    ? await suggestedRecipients(ctx, conversation, customer)
    : { to: [], cc: [], offered: [] }
  const shown = ctx.actor.permissions.includes('read:customers') ? asTheyAre : withoutAddress
  const lists = { to: to.map(shown), cc: cc.map(shown), offered: offered.map(shown) }
  return { sendsMail, door, from, visitorSeenAt, ...lists }
}

const asTheyAre = <T extends object>(entry: T) => entry
const withoutAddress = <T extends object>(entry: T) => ({ ...entry, address: null, name: null })

/** Returns when a visitor was last there. */
async function findVisitorSeenAt(
  store: TenantReads,
  { visitorId = null }: ConversationRecord,
): Promise<string | null> {
  if (visitorId === null) return null
  const newest = { visitorId, sort: '-createdAt', page: 1, limit: sessionsMax } as const
  const { rows } = await store.widgetSessions.listRows(newest)
  const seen = rows.flatMap(({ lastSeenAt }) => lastSeenAt ?? [])
  return seen.toSorted().at(-1) ?? null
}

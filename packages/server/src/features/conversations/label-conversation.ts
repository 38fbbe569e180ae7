import {
  type addConversationLabels,
  changesBetween,
  notFound,
  type removeConversationLabels,
  withLabels,
  withoutLabels,
} from '@crmkit/core'
import { assertNotMerged } from '../../shared/merged-conversation.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { authorOf } from './author.ts'
import { conversationChange } from './change-conversation.ts'
import { withUnread } from './read-state.ts'

export const handleAddConversationLabels: Handler<typeof addConversationLabels> = (ctx, { params, body }) =>
  relabel(ctx, params.id, (before) => withLabels({ before, labels: body.labels, field: 'labels' }))

export const handleRemoveConversationLabels: Handler<typeof removeConversationLabels> = (
  ctx,
  { params, body },
) => relabel(ctx, params.id, (before) => withoutLabels({ before, labels: body.labels, field: 'labels' }))

async function relabel(ctx: HandlerContext, id: string, change: (labels: string[]) => string[]) {
  const before = await ctx.store.conversations.find(id)
  if (before === undefined) throw notFound()
  assertNotMerged(before)
  const current = withoutVersion(before)
  const relabelled = { ...current, labels: change(current.labels), updatedAt: ctx.now }
  const changes = changesBetween(current, relabelled)
  const by = authorOf(ctx.actor)
  const changed = await conversationChange(ctx, { before, conversation: relabelled, changes, by })
  const data = await withUnread(ctx, changed.conversation)
  return { reply: { success: true as const, data }, ...(changed.change && { change: changed.change }) }
}

import type { getTenantRetention } from '@crmkit/core'
import { keepsAll, monthsBefore } from '../../../storage/rules/retention.ts'
import { type SystemHandler, signedInOf } from '../../system-handler.ts'
import { findOwnTenant } from '../own-tenant.ts'
import { agedAttachments, agedConversations } from './aged-rows.ts'

/** A preview takes time in proportion to the rows that it counts. */
const countedMax = 10_000

export const handleGetTenantRetention: SystemHandler<typeof getTenantRetention> = async (ctx, { query }) => {
  const { tenantId } = signedInOf(ctx)
  const { retention = keepsAll } = await findOwnTenant(ctx)
  const months = { ...retention, ...withoutAbsent(query) }
  const { closedConversationMonths, attachmentMonths } = months
  const conversations = { count: 0, isMore: false }
  if (closedConversationMonths !== null) {
    const before = monthsBefore(ctx.nowMs, closedConversationMonths)
    for await (const rows of agedConversations(ctx.forTenant(tenantId), before)) {
      conversations.isMore = conversations.count + rows.length > countedMax
      conversations.count = Math.min(conversations.count + rows.length, countedMax)
      if (conversations.isMore) break
    }
  }
  const attachments = { count: 0, bytes: 0, isMore: false }
  if (attachmentMonths !== null) {
    const before = monthsBefore(ctx.nowMs, attachmentMonths)
    for await (const rows of agedAttachments(ctx.system, tenantId, before)) {
      const counted = rows.slice(0, countedMax - attachments.count)
      attachments.count += counted.length
      attachments.bytes += counted.reduce((sum, { size }) => sum + size, 0)
      attachments.isMore = counted.length < rows.length
      if (attachments.isMore) break
    }
  }
  const data = { closedConversationMonths, attachmentMonths, conversations, attachments }
  return { reply: { success: true, data } }
}

function withoutAbsent(query: {
  closedConversationMonths?: number | undefined
  attachmentMonths?: number | undefined
}) {
  const { closedConversationMonths, attachmentMonths } = query
  return {
    ...(closedConversationMonths !== undefined && { closedConversationMonths }),
    ...(attachmentMonths !== undefined && { attachmentMonths }),
  }
}

import { liveEventData, typingEvent } from '@crmkit/core'
import { z } from 'zod'
import type { LiveSignal, PresenceEntry } from '../ports/live.ts'
import type { Notice } from '../ports/notices.ts'
import type { TenantId } from '../storage/records.ts'

const tenantId = z.string().transform((id) => id as TenantId)
const userId = z.string().optional()

const liveSignal = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('typing'),
    data: typingEvent.extend({ customerId: z.string().nullable() }),
    userId,
  }),
  z.object({ event: z.literal('draft.updated'), data: liveEventData['draft.updated'], userId }),
  z.object({ event: z.literal('draft.deleted'), data: liveEventData['draft.deleted'], userId }),
  z.object({ event: z.literal('conversation.read'), data: liveEventData['conversation.read'], userId }),
  z.object({ event: z.literal('customer.notes'), data: liveEventData['customer.notes'], userId }),
]) satisfies z.ZodType<LiveSignal>

const presenceEntry = z.object({
  sessionId: z.string(),
  userId: z.string(),
  conversationId: z.string(),
  state: z.enum(['viewing', 'replying', 'none']),
  since: z.string(),
  setAtMs: z.number(),
}) satisfies z.ZodType<PresenceEntry>

const knownNotice = z.discriminatedUnion('type', [
  z.object({ type: z.literal('credentials'), tenantId: tenantId.nullable() }),
  z.object({ type: z.literal('webhooks'), tenantId }),
  z.object({ type: z.literal('commits') }),
  z.object({ type: z.literal('events'), tenantId }),
  z.object({ type: z.literal('live'), tenantId, signal: liveSignal }),
  z.object({ type: z.literal('presence'), tenantId, entries: z.array(presenceEntry) }),
  z.object({ type: z.literal('availability'), tenantId, userIds: z.array(z.string()) }),
  z.object({ type: z.literal('recount'), tenantId, of: z.literal('mails').optional() }),
]) satisfies z.ZodType<Notice>

/**
 * Returns a notice of another process, validated as strictly as a request; undefined for one of a newer version that
 * this one does not know.
 */
export function knownNoticeOf(given: unknown): Notice | undefined {
  return knownNotice.safeParse(given).data
}

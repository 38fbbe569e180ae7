import { type makeInboundToken, noEmailSettings, notFound } from '@crmkit/core'
import { inboundTokenHash, newInboundToken } from '../../shared/inbound-token.ts'
import type { Handler } from '../handler.ts'
import { showInbox } from './show-inbox.ts'

const overlapSecondsDefault = 86_400
const prefixLength = 'imt_'.length + 4

export const handleMakeInboundToken: Handler<typeof makeInboundToken> = async (
  ctx,
  { params: { id }, body },
) => {
  const { store, now } = ctx
  const row = await store.inboxes.find(id)
  if (row === undefined) throw notFound()
  const inboundToken = newInboundToken()
  const overlapMs = (body.overlapSeconds ?? overlapSecondsDefault) * 1000
  const isOverlapping = row.inboundTokenHash !== undefined && overlapMs > 0
  const set = {
    email: { ...(row.email ?? noEmailSettings), inboundTokenPrefix: inboundToken.slice(0, prefixLength) },
    inboundTokenHash: inboundTokenHash(inboundToken),
    previousInboundTokenHash: isOverlapping ? (row.inboundTokenHash ?? null) : null,
    previousInboundTokenEndsAt: isOverlapping ? new Date(Date.parse(now) + overlapMs).toISOString() : null,
    updatedAt: now,
  }
  return {
    change: { writes: [{ op: 'update', kind: 'inboxes', id, expectVersion: row.version, set }], events: [] },
    audit: { action: 'inbox.inboundTokenMade', target: { type: 'inbox', _id: id } },
    reply: { success: true, data: { ...(await showInbox(ctx, { ...row, ...set })), inboundToken } },
  }
}

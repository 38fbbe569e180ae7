import type { logout } from '@crmkit/core'
import { type SystemHandler, signedInOf } from '../system-handler.ts'

export const handleLogout: SystemHandler<typeof logout> = async (ctx) => {
  const { tenantId, actor } = signedInOf(ctx)
  const session = await ctx.forTenant(tenantId).sessions.find(actor.sessionId)
  const reply = { success: true as const, message: 'Signed out' }
  if (session === undefined || session.endedAt !== null) return { reply }
  const { _id: id, version: expectVersion } = session
  const set = { endedAt: ctx.now, updatedAt: ctx.now }
  return {
    tenantId,
    change: { writes: [{ op: 'update', kind: 'sessions', id, expectVersion, set }], events: [] },
    reply,
  }
}

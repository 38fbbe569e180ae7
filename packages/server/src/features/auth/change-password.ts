import type { changePassword } from '@crmkit/core'
import { assertOwnPassword } from '../match-password.ts'
import { type SystemHandler, signedInOf } from '../system-handler.ts'

export const handleChangePassword: SystemHandler<typeof changePassword> = async (ctx, { body }) => {
  const { services, now, address } = ctx
  const { tenantId, actor } = signedInOf(ctx)
  const identity = await assertOwnPassword(ctx, body.currentPassword)
  const { passwordHash: before } = identity
  const caller = { address, isKnown: true }
  const { hash: passwordHash } = await services.passwords.compare(body.newPassword, [before], caller)
  // This one write ends every session of the identity that began with the old password, in all tenants.
  const { _id: id, version: expectVersion } = identity
  const passwordGeneration = identity.passwordGeneration + 1
  const set = { passwordHash, passwordGeneration, passwordChangedBy: actor.sessionId, updatedAt: now }
  return {
    tenantId,
    change: { writes: [{ op: 'update', kind: 'identities', id, expectVersion, set }], events: [] },
    audit: { action: 'user.passwordChanged', target: { type: 'user', _id: actor._id } },
    identityNote: {
      action: 'user.passwordChanged',
      identityIds: [id],
      byOwner: true,
      exceptUserId: actor._id,
    },
    reply: { success: true, message: 'Password changed; all other sessions have ended' },
  }
}

import { type changePassword, Failure, validationFailure } from '@crmkit/core'
import { type SystemHandler, signedInOf } from '../system-handler.ts'
import { matchPassword } from './match-password.ts'

export const handleChangePassword: SystemHandler<typeof changePassword> = async (ctx, { body }) => {
  const { system, services, now, address } = ctx
  const { tenantId, actor } = signedInOf(ctx)
  const identity = await system.findIdentity(actor.user.identityId)
  if (identity === undefined) throw new Failure('AUTH_REQUIRED', 'This user is no longer a member')
  const { email, passwordHash: before } = identity
  const given = { email, password: body.currentPassword, identities: [identity], mayDiffer: false }
  const { matching } = await matchPassword(ctx, given)
  if (matching.length === 0) {
    throw validationFailure([
      { field: 'currentPassword', message: 'is not the password', rule: 'mismatch', in: 'body' },
    ])
  }
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

import type { TenantId } from '../../src/storage/records.ts'
import { addColleague } from './add-colleague.ts'
import type { RunningService } from './start-service.ts'

/** Returns a token as a mail holds it, for a new user with the password of another person. */
export async function makeResetToken(
  running: Pick<RunningService, 'service'>,
  { tenantId, passwordOf }: { tenantId: TenantId; passwordOf: string },
): Promise<string> {
  const { storage, tokens } = running.service
  const { system } = storage
  const { userId } = await addColleague(running, { tenantId, role: 'viewer' })
  const user = await storage.forTenant(tenantId).users.find(userId)
  const [other] = await system.listIdentitiesByEmail(passwordOf)
  const identity = await system.findIdentity(user?.identityId ?? '')
  if (identity === undefined || other === undefined) throw new Error('The identities are missing')
  const { token, hash } = tokens.newPasswordReset(identity._id)
  const passwordReset = {
    tokenHash: hash,
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
    identityIds: [identity._id],
    sentAt: [],
  }
  const { _id: id, version: expectVersion } = identity
  const set = { passwordHash: other.passwordHash, passwordReset }
  await system.commit(tenantId, {
    writes: [{ op: 'update', kind: 'identities', id, expectVersion, set }],
    events: [],
  })
  return token
}

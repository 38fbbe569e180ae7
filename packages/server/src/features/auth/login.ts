import { Failure, type login, normalizeEmail, validationFailure } from '@crmkit/core'
import type { Identity } from '../../storage/kinds/identities.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import type { SystemContext, SystemHandler } from '../handler.ts'
import { newSession, sessionReply } from './open-session.ts'

export const handleLogin: SystemHandler<typeof login> = async (ctx, { body }) => {
  const { system, services, address } = ctx
  const account = normalizeEmail(body.email)
  const identity = await system.findIdentityByEmail(account)
  const isRight = await services.attempts.check({ account, address }, () =>
    services.passwords.verify(identity?.passwordHash, body.password),
  )
  // The same failure for an unknown e-mail and a wrong password, so that it does not reveal which one it is.
  if (identity === undefined || !isRight)
    throw new Failure('AUTH_REQUIRED', 'The e-mail or the password is wrong')
  const { tenantId, user } = chooseMembership(await activeMemberships(ctx, identity), body.tenantId)
  const tenant = await system.findTenant(tenantId)
  if (tenant === undefined) throw new Failure('AUTH_REQUIRED', 'The e-mail or the password is wrong')
  if (tenant.isSuspended) throw new Failure('TENANT_SUSPENDED', 'The tenant account is suspended')
  const { session, refreshToken } = newSession(ctx, { user, identity })
  return {
    tenantId,
    change: { writes: [{ op: 'insert', kind: 'sessions', row: session }], events: [] },
    reply: sessionReply(ctx, { user, tenant, session, refreshToken }),
  }
}

interface Membership {
  tenantId: TenantId
  user: Stored<UserRecord>
}

async function activeMemberships({ system }: SystemContext, identity: Identity): Promise<Membership[]> {
  return (await system.listMemberships(identity._id)).filter(({ user }) => user.isActive)
}

/** Returns the membership of the tenant, or the only one. Throws when there is none or the choice is open. */
function chooseMembership(memberships: Membership[], tenantId: string | null | undefined): Membership {
  const fitting = tenantId ? memberships.filter((one) => one.tenantId === tenantId) : memberships
  const [first, second] = fitting
  if (first === undefined) throw new Failure('AUTH_REQUIRED', 'The e-mail or the password is wrong')
  if (second !== undefined) {
    const message = 'is required: this e-mail belongs to several tenants'
    throw validationFailure([{ field: 'tenantId', message, rule: 'required', in: 'body' }])
  }
  return first
}

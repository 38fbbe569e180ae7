import { Failure, type login, normalizeEmail } from '@crmkit/core'
import type { Identity } from '../../storage/kinds/identities.ts'
import type { Stored } from '../../storage/records.ts'
import { matchPassword, wrongPassword } from '../match-password.ts'
import type { SystemContext, SystemHandler } from '../system-handler.ts'
import { identitiesIn } from './identities-in.ts'
import { activeMemberships, severalTenants } from './memberships.ts'
import { newSession, sessionReply } from './open-session.ts'

export const handleLogin: SystemHandler<typeof login> = async (ctx, { body }) => {
  const email = normalizeEmail(body.email)
  const tenantId = body.tenantId || undefined
  const identities = await candidates(ctx, { email: body.email, tenantId })
  const given = { email, password: body.password, identities, mayDiffer: false }
  const { matching } = await matchPassword(ctx, given)
  const memberships = (await activeMemberships(ctx, matching)).filter(
    (one) => tenantId === undefined || one.tenantId === tenantId,
  )
  const [chosen, second] = memberships
  if (chosen === undefined) throw wrongPassword()
  if (second !== undefined) throw await severalTenants(ctx, memberships)
  const { user, identity } = chosen
  const tenant = await ctx.system.findTenant(chosen.tenantId)
  if (tenant === undefined) throw wrongPassword()
  if (tenant.isSuspended) throw new Failure('TENANT_SUSPENDED', 'The tenant account is suspended')
  const { session, refreshToken } = newSession(ctx, { user, identity })
  return {
    tenantId: chosen.tenantId,
    change: { writes: [{ op: 'insert', kind: 'sessions', row: session }], events: [] },
    actingUserId: user._id,
    audit: { action: 'user.signedIn', target: { type: 'user', _id: user._id } },
    reply: sessionReply(ctx, { user, tenant, session, refreshToken }),
  }
}

/**
 * Returns the identities that the password may belong to: all of the e-mail, or the one with a membership in the
 * given tenant. So a stranger who joins tenants with another person's e-mail does not keep that person from signing
 * in to theirs.
 */
async function candidates(
  { system }: SystemContext,
  { email, tenantId }: { email: string; tenantId: string | undefined },
): Promise<Stored<Identity>[]> {
  if (tenantId === undefined) return system.listIdentitiesByEmail(email)
  return identitiesIn(system, { tenantId, email })
}

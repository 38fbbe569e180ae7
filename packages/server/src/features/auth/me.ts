import { Failure, type me } from '@crmkit/core'
import { type SystemHandler, signedInOf } from '../handler.ts'

export const handleMe: SystemHandler<typeof me> = async (ctx) => {
  const { tenantId, actor } = signedInOf(ctx)
  const { system } = ctx
  const all = await system.listMemberships(actor.user.identityId)
  const withTenants = await Promise.all(
    all.map(async (one) => ({ ...one, tenant: await system.findTenant(one.tenantId) })),
  )
  const current = withTenants.find((one) => one.tenantId === tenantId && one.user._id === actor._id)
  if (!current?.tenant) throw new Failure('AUTH_REQUIRED', 'This user is no longer a member')
  const memberships = withTenants.flatMap(({ user, tenant }) =>
    tenant && user.isActive ? [{ userId: user._id, role: user.role, tenant }] : [],
  )
  return { reply: { success: true, data: { user: current.user, tenant: current.tenant, memberships } } }
}

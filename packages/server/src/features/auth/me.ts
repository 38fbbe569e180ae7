import { Failure, type me } from '@crmkit/core'
import { userOfRecord } from '../../shared/user-of-record.ts'
import { type SystemContext, type SystemHandler, type SystemOutcome, signedInOf } from '../system-handler.ts'

export const handleMe: SystemHandler<typeof me> = async (ctx) => {
  if (ctx.withKey !== undefined) return describeKey(ctx, ctx.withKey)
  const { tenantId, actor } = signedInOf(ctx)
  const { system } = ctx
  const all = await system.across.memberships.of(actor.user.identityId)
  const withTenants = await Promise.all(
    all.map(async ({ tenantId: of, row }) => ({ user: row, tenant: await system.findTenant(of) })),
  )
  const current = withTenants.find(({ user }) => user.tenantId === tenantId && user._id === actor._id)
  if (!current?.tenant) throw new Failure('AUTH_REQUIRED', 'This user is no longer a member')
  const memberships = withTenants.flatMap(({ user, tenant }) =>
    tenant && user.isActive ? [{ userId: user._id, role: user.role, tenant }] : [],
  )
  const user = userOfRecord(current.user, { now: ctx.now, viewerId: actor._id })
  const data = { user, tenant: current.tenant, memberships, apiKey: null }
  return { reply: { success: true, data } }
}

async function describeKey(
  { system }: SystemContext,
  { tenantId, actor: { apiKey } }: NonNullable<SystemContext['withKey']>,
): Promise<SystemOutcome<typeof me>> {
  const tenant = await system.findTenant(tenantId)
  if (tenant === undefined) throw new Failure('API_KEY_INVALID', 'The API key is not valid')
  return { reply: { success: true, data: { user: null, tenant, memberships: [], apiKey } } }
}

import { Failure, type getTenant } from '@crmkit/core'
import { withoutVersion } from '../../storage/records.ts'
import { type SystemHandler, signedInOf } from '../system-handler.ts'

export const handleGetTenant: SystemHandler<typeof getTenant> = async (ctx) => {
  const found = await ctx.system.findTenant(signedInOf(ctx).tenantId)
  if (found === undefined) throw new Failure('AUTH_REQUIRED', 'The tenant was deleted')
  const usage = await ctx.services.quotas.use({ tenantId: found.tenantId, tenantLimits: found.limits })
  return { reply: { success: true, data: { ...withoutVersion(found), usage } } }
}

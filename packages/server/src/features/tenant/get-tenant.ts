import { Failure, type getTenant } from '@crmkit/core'
import { type SystemHandler, signedInOf } from '../../handler.ts'
import { withoutVersion } from '../../ports/records.ts'

export const handleGetTenant: SystemHandler<typeof getTenant> = async (ctx) => {
  const found = await ctx.system.findTenant(signedInOf(ctx).tenantId)
  if (found === undefined) throw new Failure('AUTH_REQUIRED', 'The tenant is gone')
  return { reply: { success: true, data: withoutVersion(found) } }
}

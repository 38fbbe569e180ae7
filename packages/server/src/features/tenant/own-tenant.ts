import { Failure } from '@crmkit/core'
import type { TenantRecord } from '../../storage/kinds/tenants.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'
import { keepsAll } from '../../storage/rules/retention.ts'
import { type SystemContext, signedInOf } from '../system-handler.ts'

/** Returns the tenant of the session. */
export async function findOwnTenant(ctx: SystemContext) {
  const found = await ctx.system.findTenant(signedInOf(ctx).tenantId)
  if (found === undefined) throw new Failure('AUTH_REQUIRED', 'The tenant was deleted')
  return found
}

/** Returns the tenant as the API shows it, with the use of its quotas. */
export async function shownTenant(ctx: SystemContext, tenant: Stored<TenantRecord>) {
  const { tenantId } = signedInOf(ctx)
  const usage = await ctx.services.quotas.use({ tenantId, tenantLimits: tenant.limits })
  const { country = null, retention = keepsAll } = tenant
  return { ...withoutVersion(tenant), country, retention, usage }
}

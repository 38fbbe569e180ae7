import type { SystemStore } from '../../ports/system-store.ts'

/** Ids that were made in one moment may begin in the same way. */
const tenantsMax = 20

/** Returns the tenants whose ids begin like this: a token names so much of an id. */
export async function tenantsBeginning(system: Pick<SystemStore, 'listTenants'>, start: string) {
  const tenants = await system.listTenants({ after: start, limit: tenantsMax })
  return tenants.filter(({ tenantId }) => tenantId.startsWith(start))
}

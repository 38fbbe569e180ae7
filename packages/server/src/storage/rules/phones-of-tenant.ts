import type { TenantPhones } from '../../ports/storage.ts'
import type { TenantRecord } from '../kinds/tenants.ts'

/** Returns what a tenant's row says about phone numbers; undefined when it says nothing, or there is no row. */
export function phonesOfTenant(tenant: TenantRecord | undefined): TenantPhones | undefined {
  const { country = null, phoneNumbers: numbers = [] } = tenant ?? {}
  return country === null && numbers.length === 0 ? undefined : { country, numbers }
}

import type { TenantLimits } from '../storage/kinds/tenants.ts'
import type { TenantId } from '../storage/records.ts'
import type { Write } from './change.ts'

export interface LimitedTenant {
  tenantId: TenantId
  /** Limits that differ from the defaults. */
  tenantLimits: TenantLimits | undefined
}

/** An amount that is admitted, and not yet committed. */
export interface Reservation {
  /** Ends it after the commit, which adds its rows to the use by itself. */
  end(): void
}

/** Holds the writes of a tenant to its quotas. */
export interface RowQuotas {
  /** Returns undefined when no quota limits the rows. Throws QUOTA_EXCEEDED when one of them is beyond a limit. */
  admit(tenant: LimitedTenant, writes: readonly Write[]): Reservation | undefined | Promise<Reservation>
}

import type { Customer } from '@crmkit/core'
import type { CustomerRecord } from '../storage/kinds/customers.ts'

/** Returns the resource without stored fields, for events and replies. */
export function customerOfRecord(stored: CustomerRecord & { readonly version?: number }): Customer {
  const {
    version: _version,
    mergedFrom: _merged,
    importedAt: _imported,
    typedEmail: _typed,
    visitorId: _visitor,
    emailSince: _since,
    hasMoreAddresses: _more,
    ...customer
  } = stored
  return { ...customer, blockedAt: stored.blockedAt ?? null }
}

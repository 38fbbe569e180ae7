import type { Customer } from '@crmkit/core'
import type { CustomerRecord } from '../storage/kinds/customers.ts'

/** Returns the resource without stored fields, for events and replies. Field by field: to copy all but some costs ten times as much. */
export function customerOfRecord(stored: CustomerRecord & { readonly version?: number }): Customer {
  const { _id, tenantId, profile, jobTitle, tier, status, tags, customFields, externalIds } = stored
  const { blockedAt = null, lastContactAt = null, createdAt, updatedAt } = stored
  return {
    _id,
    tenantId,
    profile,
    jobTitle,
    tier,
    status,
    tags,
    customFields,
    externalIds,
    blockedAt,
    lastContactAt,
    createdAt,
    updatedAt,
  }
}

import { getQuotaRule } from '../../../storage/kinds/quotas.ts'
import type { CollectionAccess } from '../connection/access.ts'
import { fieldOf } from '../rows/fields.ts'

/** Counts what the tenant uses of a quota. */
export function countQuotaUse(access: CollectionAccess, quota: string): Promise<number> {
  const { kind, field } = getQuotaRule(quota)
  return field === null ? access.countAll(kind) : access.sumAll(kind, fieldOf(kind, field))
}

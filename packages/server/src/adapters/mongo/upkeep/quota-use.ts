import { getQuotaRule } from '../../../storage/kinds/quotas.ts'
import type { CollectionAccess } from '../connection/access.ts'
import { type Filter, trusted } from '../connection/filters.ts'
import { fieldOf } from '../rows/fields.ts'

/** Counts what the tenant uses of a quota. */
export function countQuotaUse(
  access: CollectionAccess,
  quota: string,
  { since, inboxId }: { since?: string; inboxId?: string } = {},
): Promise<number> {
  const rule = getQuotaRule(quota)
  const { kind, field, having, lacking } = rule
  if (field === null) return access.countAll(kind)
  const filter: Filter = {
    ...Object.fromEntries(lacking.map((name) => [fieldOf(kind, name), null])),
    ...(having !== null && { [fieldOf(kind, having)]: trusted({ $gt: '' }) }),
    ...('max' in rule && { [fieldOf(kind, field)]: trusted({ $lte: rule.max }) }),
    ...(inboxId !== undefined && { [fieldOf(kind, 'inboxId')]: inboxId }),
    ...(since !== undefined && { [fieldOf(kind, 'createdAt')]: trusted({ $gte: since }) }),
  }
  return access.sumAll(kind, fieldOf(kind, field), filter)
}

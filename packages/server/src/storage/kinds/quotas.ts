import type { Quota } from './define-kind.ts'
import { rulesOf, tenantKinds } from './derive.ts'
import type { Kind, TenantKind } from './registry.ts'
import type { TenantLimits } from './tenants.ts'

/* The quotas of a tenant, as the kinds declare them. */

export interface QuotaRule {
  /** The name of the kind, or of the sum of its bytes. */
  name: string
  kind: TenantKind
  /** The field that is summed; null where rows are counted. */
  field: string | null
  /** The limit of a tenant for which the operator has set none. */
  limit: number
}

/** A limit that an operator sets as -1. */
export const unlimited = -1

/** The requests of a month. It refuses nothing: requests beyond it are shown as overage. */
export const apiCallsLimit = 'apiCalls'

function rulesOfKind(kind: TenantKind): QuotaRule[] {
  const quota: Quota<never> | undefined = rulesOf(kind).quota
  if (quota === undefined || 'unlimited' in quota) return []
  const rows = { name: kind, kind, field: null, limit: quota.rows }
  if (quota.bytes === undefined) return [rows]
  const { name, field, limit } = quota.bytes
  return [rows, { name, kind, field, limit }]
}

export const quotaRules: readonly QuotaRule[] = tenantKinds.flatMap(rulesOfKind)

/** The quotas that a row of a kind uses; undefined for a kind that uses none. */
export const quotaRulesByKind: ReadonlyMap<Kind, readonly QuotaRule[]> = Map.groupBy(
  quotaRules,
  ({ kind }) => kind,
)

/** Throws for a name that no kind declares. */
export function getQuotaRule(name: string): QuotaRule {
  const rule = quotaRules.find((one) => one.name === name)
  if (rule === undefined) throw new TypeError(`no kind declares a quota ${name}`)
  return rule
}

/** Every name that an operator can set a limit for. */
export const limitNames: readonly string[] = [...quotaRules.map(({ name }) => name), apiCallsLimit]

/** Returns the limit of a tenant; `unlimited` where it has none. */
export function limitOf(name: string, limits: TenantLimits | undefined): number {
  const fallback = name === apiCallsLimit ? unlimited : getQuotaRule(name).limit
  return limits?.[name] ?? fallback
}

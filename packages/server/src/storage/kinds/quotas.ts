import { mailBytesMax } from '@crmkit/core/vocabulary'
import type { Quota, QuotaOfBytes } from './define-kind.ts'
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
  /** Only rows with this field count. */
  having: string | null
  /** Rows with one of these fields do not count. */
  lacking: readonly string[]
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
  const all = { having: null, lacking: [] }
  const rows = { name: kind, kind, field: null, limit: quota.rows, ...all }
  const sums: readonly QuotaOfBytes<never>[] = quota.bytes ?? []
  const others = sums.flatMap(({ having = [] }) => having)
  const ofBytes = sums.map(({ having, ...sum }) => ({
    ...sum,
    kind,
    having: having ?? null,
    lacking: having === undefined ? others : [],
  }))
  return [rows, ...ofBytes]
}

/** A limit of what arrives on one day, from 00:00 UTC on. */
export interface DayRule {
  name: string
  kind: TenantKind
  field: string
  limit: number
  /** A row with more does not count: its bytes were not taken. */
  max: number
  having: null
  lacking: readonly string[]
}

/** Mail of a tenant on one day; an inbox may take half of it. */
export const inboundMailBytesPerDay: DayRule = {
  name: 'inboundMailBytesPerDay',
  kind: 'inboundMails',
  field: 'sizeBytes',
  limit: 2 * 1024 ** 3,
  // The SMTP port adds a header.
  max: mailBytesMax + 64 * 1024,
  having: null,
  lacking: [],
}
const dayRules: readonly DayRule[] = [inboundMailBytesPerDay]

export const quotaRules: readonly QuotaRule[] = tenantKinds.flatMap(rulesOfKind)

/** The quotas that a row of a kind uses; undefined for a kind that uses none. */
export const quotaRulesByKind: ReadonlyMap<Kind, readonly QuotaRule[]> = Map.groupBy(
  quotaRules,
  ({ kind }) => kind,
)

/** Throws for a name that no kind declares. */
export function getQuotaRule(name: string): QuotaRule | DayRule {
  const rule = [...quotaRules, ...dayRules].find((one) => one.name === name)
  if (rule === undefined) throw new TypeError(`no kind declares a quota ${name}`)
  return rule
}

/** Texts of visitors on one day. The limiter of requests counts them. */
export const visitorTextBytesPerDay = 'visitorTextBytesPerDay'

/** Recipients of mail that leaves by the relay on one day; a tenant without a proven domain has fewer. */
export const relayRecipientsPerDay = 'relayRecipientsPerDay'
/** Recipients of mail that leaves by the server of an inbox. */
export const smtpRecipientsPerMinute = 'smtpRecipientsPerMinute'

/** Limits of what no row holds, so their use cannot be read from the database. */
const limitsWithoutRows: Readonly<Record<string, number>> = {
  [apiCallsLimit]: unlimited,
  [visitorTextBytesPerDay]: 200 * 1024 ** 2,
  [relayRecipientsPerDay]: 10_000,
  [smtpRecipientsPerMinute]: 60,
}

export function hasRows(limitName: string): boolean {
  return !(limitName in limitsWithoutRows)
}

/** Every name that an operator can set a limit for. */
export const limitNames: readonly string[] = [
  ...[...quotaRules, ...dayRules].map(({ name }) => name),
  ...Object.keys(limitsWithoutRows),
]

/** Returns when the day began that a limit is about; undefined for a limit without days. */
export function dayOf(name: string, now: string): string | undefined {
  return dayRules.some((rule) => rule.name === name) ? `${now.slice(0, 10)}T00:00:00.000Z` : undefined
}

/** Returns the limit of a tenant; `unlimited` where it has none. */
export function limitOf(name: string, limits: TenantLimits | undefined): number {
  return limits?.[name] ?? limitsWithoutRows[name] ?? getQuotaRule(name).limit
}

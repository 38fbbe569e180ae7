import { getQuotaRule } from '../../../storage/kinds/quotas.ts'
import type { Sql } from '../connection/sql.ts'
import { tableOf } from '../rows/kinds.ts'

export interface QuotaRequest {
  tenantId: string
  quota: string
  since?: string
  inboxId?: string
}

/** Counts what a tenant uses of a quota. It reads every row of the tenant: for a thread that nothing waits for. */
export function countQuotaUse(sql: Sql, { tenantId, quota, since, inboxId }: QuotaRequest): number {
  const rule = getQuotaRule(quota)
  const { kind, field, having, lacking } = rule
  const what = field === null ? 'count(*)' : `coalesce(sum(doc ->> '$.${field}'), 0)`
  const conditions = [
    'tenant_id = @tenant',
    ...(having === null ? [] : [`doc ->> '$.${having}' IS NOT NULL`]),
    ...lacking.map((name) => `doc ->> '$.${name}' IS NULL`),
    ...('max' in rule ? [`doc ->> '$.${field}' <= ${rule.max}`] : []),
    ...(inboxId === undefined ? [] : ['inbox_id = ?']),
    ...(since === undefined ? [] : ['created_at >= ?']),
  ]
  const text = `SELECT ${what} AS used FROM ${tableOf(kind).table} WHERE ${conditions.join(' AND ')}`
  const values = [inboxId, since].filter((value) => value !== undefined)
  return sql.tenant(tenantId).get<{ used: number }>(text, ...values)?.used ?? 0
}

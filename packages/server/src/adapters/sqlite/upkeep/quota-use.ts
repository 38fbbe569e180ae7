import { getQuotaRule } from '../../../storage/kinds/quotas.ts'
import type { Sql } from '../connection/sql.ts'
import { tableOf } from '../rows/kinds.ts'

export interface QuotaRequest {
  tenantId: string
  quota: string
}

/** Counts what a tenant uses of a quota. It reads every row of the tenant: for a thread that nothing waits for. */
export function countQuotaUse(sql: Sql, { tenantId, quota }: QuotaRequest): number {
  const { kind, field } = getQuotaRule(quota)
  const what = field === null ? 'count(*)' : `coalesce(sum(doc ->> '$.${field}'), 0)`
  const text = `SELECT ${what} AS used FROM ${tableOf(kind).table} WHERE tenant_id = @tenant`
  return sql.tenant(tenantId).get<{ used: number }>(text)?.used ?? 0
}

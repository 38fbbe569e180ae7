import type { Sql } from '../connection/sql.ts'

/** Assigns row numbers inside the tenant's range of a partitioned table. Gaps are allowed. */
export function createRowNumbers(sql: Sql) {
  const next = new Map<string, bigint>()

  function addTenant(tenantId: string): void {
    sql
      .tenant(tenantId)
      .run('INSERT INTO tenant_numbers (tenant_id, number) VALUES (@tenant, ?)', nextTenantNumber())
  }

  function nextTenantNumber(): number {
    const last = sql.across.get<{ number: number | null }>('SELECT max(number) AS number FROM tenant_numbers')
    return (last?.number ?? 0) + 1
  }

  function firstFree(tenantId: string, table: string): bigint {
    if (!sql.rangeOf(tenantId)) addTenant(tenantId)
    const range = sql.rangeOf(tenantId)
    if (!range) throw new Error('the tenant has no range of row numbers')
    const last = sql
      .tenant(tenantId)
      .get<{ n: number }>(
        `SELECT n FROM ${table} NOT INDEXED WHERE tenant_id = @tenant AND n BETWEEN ? AND ? ORDER BY n DESC LIMIT 1`,
        range.first,
        range.last,
      )
    return last ? BigInt(last.n) + 1n : range.first
  }

  return {
    next(tenantId: string, table: string): bigint {
      const key = `${table} ${tenantId}`
      const n = next.get(key) ?? firstFree(tenantId, table)
      next.set(key, n + 1n)
      return n
    },
    forget: () => next.clear(),
  }
}

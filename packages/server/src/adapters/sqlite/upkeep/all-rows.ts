import type { RowPage, RowPageQuery } from '../../../ports/system-store.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import { ifReadable } from '../../../storage/rules/readable-rows.ts'
import type { Sql } from '../connection/sql.ts'
import { tableOf } from '../rows/kinds.ts'
import { type RecordRow, toRecord } from '../rows/records.ts'

export function readAllRows<K extends Kind>(
  sql: Sql,
  { kind, tenantId, after, limit }: RowPageQuery<K>,
): RowPage<K> {
  const found = sql.tenant(tenantId).all<RecordRow & { id: string }>(
    `SELECT id, version, doc FROM ${tableOf(kind).table}
     WHERE tenant_id = @tenant AND id > ? ORDER BY id LIMIT ?`,
    after,
    limit,
  )
  const rows = found.flatMap((row) => ifReadable(() => toRecord(kind, row)))
  return { rows, damaged: found.length - rows.length, last: found.at(-1)?.id }
}

export function countAllRows(sql: Sql, kind: Kind, tenantId: string): number {
  const text = `SELECT count(*) AS count FROM ${tableOf(kind).table} WHERE tenant_id = @tenant`
  return sql.tenant(tenantId).get<{ count: number }>(text)?.count ?? 0
}

import type { AcrossReads, RowOfTenant, SystemStore } from '../../../ports/system-store.ts'
import { type Across, acrossLookups } from '../../../storage/kinds/derive.ts'
import type { AcrossName, KindAcross } from '../../../storage/kinds/registry.ts'
import type { TenantId } from '../../../storage/records.ts'
import { ifReadable } from '../../../storage/rules/readable-rows.ts'
import type { Sql, SqlValue } from '../connection/sql.ts'
import { snakeCase, tableOf } from '../rows/kinds.ts'
import { type RecordRow, toRecord } from '../rows/records.ts'

export type TenantRow = RecordRow & { tenant_id: TenantId }
type Read = <T>(read: () => T) => Promise<T>

/** Returns a list of parameters for so many values. */
export function oneOf(values: readonly string[]): string {
  return `IN (${values.map(() => '?').join(', ')})`
}

function readsOf(sql: Sql, read: Read, { kind, columns, isUnique }: Across): AcrossReads<AcrossName> {
  const { table } = tableOf(kind)
  const [first, ...others] = columns.map(snakeCase) as [string, ...string[]]
  const order = [first, ...others, ...(isUnique ? [] : ['id'])].join(', ')
  const select = `SELECT tenant_id, version, doc FROM ${table} WHERE ${first}`
  const ofRow = (row: TenantRow) =>
    ({ tenantId: row.tenant_id, row: toRecord(kind, row) }) as RowOfTenant<KindAcross<AcrossName>>
  const list = (condition: string, ...params: SqlValue[]) =>
    read(() =>
      sql.across
        .all<TenantRow>(`${select} ${condition} ORDER BY ${order} LIMIT ?`, ...params)
        .flatMap((row) => ifReadable(() => ofRow(row))),
    )
  return {
    find: (...values) =>
      read(() => {
        const row = sql.across.get<TenantRow>(`${select} ${oneOf(values)} LIMIT 1`, ...values)
        return row && ofRow(row)
      }),
    // A negative limit is none.
    of: (value, limit = -1) => list('= ?', value, limit),
    due: (now, limit) => list('<= ?', now, limit),
    behind: (value, limit) => list('> ?', value, limit),
    first: (behind = '') =>
      read(() => {
        const row = sql.across.get<Record<string, string>>(
          `SELECT tenant_id, ${[first, ...others].join(', ')} FROM ${table} WHERE ${first} > ? ORDER BY ${order} LIMIT 1`,
          behind,
        )
        if (row === undefined) return undefined
        const values = Object.fromEntries(columns.map((name) => [name, row[snakeCase(name)] ?? '']))
        return { tenantId: row['tenant_id'] as TenantId, columns: values as Record<never, string> }
      }),
  }
}

export function createAcrossReads(sql: Sql, read: Read): SystemStore['across'] {
  const all = acrossLookups.map((lookup) => [lookup.name, readsOf(sql, read, lookup)] as const)
  return Object.fromEntries(all) as unknown as SystemStore['across']
}

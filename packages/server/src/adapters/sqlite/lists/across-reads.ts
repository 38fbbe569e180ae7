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

/** The statements of one declaration; each reads its index in its order. */
export function acrossTexts({ kind, columns, isUnique }: Across) {
  const { table } = tableOf(kind)
  const [first, ...others] = columns.map(snakeCase) as [string, ...string[]]
  const order = [first, ...others, ...(isUnique ? [] : ['id'])].join(', ')
  const rows = (what: string, condition: string, rest: string) =>
    `SELECT tenant_id, ${what} FROM ${table} WHERE ${first} ${condition} ${rest}`
  const list = (condition: string) => rows('version, doc', condition, `ORDER BY ${order} LIMIT ?`)
  return {
    find: (values: readonly string[]) => rows('version, doc', oneOf(values), 'LIMIT 1'),
    among: (values: readonly string[]) => rows('version, doc', oneOf(values), ''),
    of: list('= ?'),
    due: list('<= ?'),
    behind: list('> ?'),
    first: rows([first, ...others].join(', '), '> ?', `ORDER BY ${order} LIMIT 1`),
  }
}

function readsOf(sql: Sql, read: Read, lookup: Across): AcrossReads<AcrossName> {
  const { kind, columns } = lookup
  const texts = acrossTexts(lookup)
  const ofRow = (row: TenantRow) =>
    ({ tenantId: row.tenant_id, row: toRecord(kind, row) }) as RowOfTenant<KindAcross<AcrossName>>
  const list = (text: string, ...params: SqlValue[]) =>
    read(() => sql.across.all<TenantRow>(text, ...params).flatMap((row) => ifReadable(() => ofRow(row))))
  return {
    find: (...values) =>
      read(() => {
        const row = sql.across.get<TenantRow>(texts.find(values), ...values)
        return row && ofRow(row)
      }),
    among: async (values) => (values.length === 0 ? [] : list(texts.among(values), ...values)),
    // A negative limit is none.
    of: (value, limit = -1) => list(texts.of, value, limit),
    due: (now, limit) => list(texts.due, now, limit),
    behind: (value, limit) => list(texts.behind, value, limit),
    first: (behind = '') =>
      read(() => {
        const row = sql.across.get<Record<string, string>>(texts.first, behind)
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

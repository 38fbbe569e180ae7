import type { LabelRange, SpellingCount } from '../../../storage/rules/label-counts.ts'
import type { Sql, SqlValue } from '../connection/sql.ts'
import { hasErasures, notErased } from '../erasure/erasures.ts'
import { tableOf } from '../rows/kinds.ts'

export interface LabelRequest {
  tenantId: string
  range: LabelRange
}

function countText(table: string, conditions: readonly string[]): string {
  const where = ['u.tenant_id = @tenant', 'u.label = ?', 'u.at >= ?', 'u.at <= ?', ...conditions]
  return `SELECT count(*) AS count FROM ${table} AS u WHERE ${where.join(' AND ')}`
}

/**
 * Counts the labels of conversations: for each label one range of the index. It takes time in proportion to the range
 * and to the labels of the tenant: for a thread that nothing waits for.
 */
export function countLabels(sql: Sql, { tenantId, range }: LabelRequest): SpellingCount[] {
  const { table, labelUses } = tableOf('conversations')
  if (labelUses === undefined) throw new TypeError('the labels of conversations are not counted')
  const scoped = sql.tenant(tenantId)
  const { from, to, usedBy } = range
  const isShown = `EXISTS (SELECT 1 FROM ${table} AS c WHERE c.tenant_id = @tenant AND c.n = u.n
    AND ${notErased('conversations', 'c.').sql})`
  const count = countText(labelUses.table, [
    ...(usedBy === undefined ? [] : ['u.used_by = ?']),
    ...(hasErasures(scoped) ? [isShown] : []),
  ])
  const next = `SELECT min(label) AS label FROM ${labelUses.table} WHERE tenant_id = @tenant AND label > ?`
  const rest: SqlValue[] = usedBy === undefined ? [from, to] : [from, to, usedBy]
  const counts: SpellingCount[] = []
  // All rows with any label are counted under the empty one, which comes first.
  for (let label: string | null = ''; label !== null; ) {
    counts.push({ label, count: scoped.get<{ count: number }>(count, label, ...rest)?.count ?? 0 })
    label = scoped.get<{ label: string | null }>(next, label)?.label ?? null
  }
  return counts
}

import { formatCount } from './progress-line.ts'
import type { Comparison } from './verify.ts'

/** Formats a table: columns are as wide as their widest cell, and numbers are aligned to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const cell = (text: string, column: number) => {
    const width = widths[column] ?? 0
    return /^[\d,]+$/.test(text) ? text.padStart(width) : text.padEnd(width)
  }
  return rows.map((row) => `${row.map(cell).join('  ').trimEnd()}\n`).join('')
}

/** Formats the row counts of every kind, also of kinds without rows. */
export function kindTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ kind, source, target, different }) => [
    kind,
    formatCount(source),
    formatCount(target),
    different.length === 0 && source === target ? 'equal' : 'DIFFERENT',
  ])
  return table([['Kind', 'Source', 'Target', 'Checked'], ...rows])
}

const namedMax = 20

/** Returns one sentence for each tenant and kind with a difference. */
export function describeDifferences(comparisons: readonly Comparison[]): string[] {
  const sentences = comparisons.flatMap(({ kind, source, target, different }) => {
    const counts =
      source === target
        ? ''
        : `; the source has ${formatCount(source)} in all, the target ${formatCount(target)}`
    const ofTenants = [...Map.groupBy(different, ({ tenantId }) => tenantId)]
    if (ofTenants.length === 0 && source !== target) return [`${kind}${counts.replace(';', ':')}`]
    return ofTenants.map(
      ([tenantId, [first, ...others]]) =>
        `${tenantId || '(all tenants)'}, ${kind}: ${formatCount(others.length + 1)} different, one is ${first?.id}${counts}`,
    )
  })
  const rest = sentences.length - namedMax
  return rest > 0 ? [...sentences.slice(0, namedMax), `and ${formatCount(rest)} more`] : sentences
}

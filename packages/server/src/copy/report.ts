import { formatCount } from './progress-line.ts'
import type { Tally } from './tally.ts'
import { type Comparison, comparedKinds, isEqual } from './verify.ts'

/** Formats a table: columns are as wide as their widest cell, and numbers are aligned to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const cell = (text: string, column: number) => {
    const width = widths[column] ?? 0
    return /^[\d,]+$/.test(text) ? text.padStart(width) : text.padEnd(width)
  }
  return rows.map((row) => `${row.map(cell).join('  ').trimEnd()}\n`).join('')
}

function formatChecksum({ checksum }: Tally): string {
  return checksum.toString(16).padStart(16, '0')
}

function tenantName(tenantId: string): string {
  return tenantId === '' ? '(all tenants)' : tenantId
}

/** Formats the row counts and checksums of every tenant and kind. */
export function tenantTable(comparisons: readonly Comparison[]): string {
  const sorted = [...comparisons].sort((a, b) => (a.tenantId < b.tenantId ? -1 : +(a.tenantId > b.tenantId)))
  const rows = sorted.map(({ tenantId, kind, source, target }) => [
    tenantName(tenantId),
    kind,
    formatCount(source.rows),
    formatChecksum(source),
    formatCount(target.rows),
    formatChecksum(target),
  ])
  return table([['Tenant', 'Kind', 'Source', 'Checksum', 'Target', 'Checksum'], ...rows])
}

/** Formats the row counts of every kind, also of kinds without rows. */
export function kindTable(comparisons: readonly Comparison[]): string {
  const rows = comparedKinds.map((kind) => {
    const ofKind = comparisons.filter((comparison) => comparison.kind === kind)
    const sum = (side: 'source' | 'target') => ofKind.reduce((rows, found) => rows + found[side].rows, 0)
    return [
      kind,
      formatCount(sum('source')),
      formatCount(sum('target')),
      ofKind.every(isEqual) ? 'equal' : 'DIFFERENT',
    ]
  })
  return table([['Kind', 'Source', 'Target', 'Checked'], ...rows])
}

const differencesMax = 20

/** Returns one sentence for each tenant and kind with a difference. */
export function describeDifferences(comparisons: readonly Comparison[]): string[] {
  const different = comparisons.filter((comparison) => !isEqual(comparison))
  const side = (tally: Tally) => `${formatCount(tally.rows)} rows (${formatChecksum(tally)})`
  const named = different
    .slice(0, differencesMax)
    .map(
      ({ tenantId, kind, source, target }) =>
        `${tenantName(tenantId)}, ${kind}: the source has ${side(source)}, the target ${side(target)}`,
    )
  const rest = different.length - named.length
  return rest > 0 ? [...named, `and ${formatCount(rest)} more`] : named
}

import { foldLabel } from '@crmkit/core/vocabulary'

/** Rows that carry labels, of a range of time. */
export interface LabelRange {
  /** The first and the last moment of the range, ISO 8601. */
  from: string
  to: string
  /** Only rows with this value; see `labelUses` of the kind. */
  usedBy?: string | undefined
}

/** How often one spelling of a label is used. The empty label counts all rows with any label. */
export interface SpellingCount {
  label: string
  count: number
}

export interface LabelCounts {
  /** Number of rows with any label. */
  labelled: number
  /** Every label that is used, in its most frequent spelling, most frequent label first. */
  labels: SpellingCount[]
}

/** Spellings that differ in case only are one label. */
export function mergeSpellings(spellings: readonly SpellingCount[]): LabelCounts {
  const used = spellings.filter(({ label, count }) => label !== '' && count > 0)
  const groups = Map.groupBy(used.toSorted(byCount), ({ label }) => foldLabel(label))
  const labels = [...groups.values()].map((group) => ({
    label: group[0]?.label ?? '',
    count: group.reduce((sum, { count }) => sum + count, 0),
  }))
  const labelled = spellings.find(({ label }) => label === '')?.count ?? 0
  return { labelled, labels: labels.toSorted(byCount) }
}

function byCount(a: SpellingCount, b: SpellingCount): number {
  if (a.count !== b.count) return b.count - a.count
  return a.label < b.label ? -1 : 1
}

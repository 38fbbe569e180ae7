import { rulesOf } from '../../../storage/kinds/derive.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'

/** Returns the field of a document that holds a column of a kind. */
export function fieldOf(kind: Kind, column: string): string {
  if (column === 'id') return 'id'
  if (column === 'labels' || column === 'subjects') return column
  if (column === 'search') return 'grams'
  return rulesOf(kind).computed?.[column] ? `keys.${column}` : `row.${column}`
}

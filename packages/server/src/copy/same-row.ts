import type { RowRef, TransferRow } from '../ports/storage-transfer.ts'
import { isSame } from '../storage/rules/rows.ts'

export function keyOf({ tenantId, id }: RowRef): string {
  return JSON.stringify([tenantId, id])
}

/** Returns the same text for equal values, whatever the order of their fields. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join()}}`
}

/** Compares version and content. A database may return the fields of a record in an order of its own. */
export function isSameRow(a: TransferRow | undefined, b: TransferRow): boolean {
  if (a?.version !== b.version) return false
  return isSame(a.record, b.record) || canonicalJson(a.record) === canonicalJson(b.record)
}

/*
 * The encoding of a record in MongoDB: plain fields as they are, so that they can be indexed and incremented; objects
 * and lists as JSON text. So no key of a custom field is ever a field name in MongoDB, and every value is read exactly
 * as JSON has it.
 */

type Encoded = string | number | boolean | null | { json: string }
export type EncodedRow = Record<string, Encoded>

export function encodeValue(value: unknown): Encoded | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  // BSON would replace half a surrogate pair; JSON keeps it.
  if (typeof value === 'string' && value.isWellFormed()) return value
  return { json: JSON.stringify(value) }
}

export function encodeRow(record: object): EncodedRow {
  const row: EncodedRow = {}
  for (const [field, value] of Object.entries(record)) {
    const encoded = encodeValue(value)
    if (encoded !== undefined) row[field] = encoded
  }
  return row
}

function decodeValue(value: Encoded): unknown {
  return typeof value === 'object' && value !== null ? (JSON.parse(value.json) as unknown) : value
}

export function decodeRow<T>(row: EncodedRow): T {
  return Object.fromEntries(Object.entries(row).map(([field, value]) => [field, decodeValue(value)])) as T
}

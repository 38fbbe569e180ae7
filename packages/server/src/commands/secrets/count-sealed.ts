import type { ExaminedRows } from '../../ports/diagnosis.ts'
import type { TransferRow } from '../../ports/storage-transfer.ts'
import { keyIdOf } from '../../security/secret-box.ts'
import { rowsOf } from '../../shared/rows-of.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import { type SealedField, sealedFields, sealedKinds } from '../../storage/kinds/sealed-fields.ts'

/** A stored text, the field that holds it, and the id of the key that sealed it. */
export interface SealedValue {
  readonly row: TransferRow
  readonly sealed: SealedField
  readonly value: string
  readonly keyId: string
}

/** Returns the sealed texts of every row, kind by kind; of at most `rowsMax` rows of each kind. */
export async function* sealedValues(
  rows: Pick<ExaminedRows, 'readPage'>,
  rowsMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<SealedValue> {
  for (const kind of sealedKinds) {
    const fields = sealedFields.filter((field) => field.kind === kind)
    for await (const row of rowsOf(rows, kind, { rowsMax })) yield* valuesOf(row, fields)
  }
}

function* valuesOf(row: TransferRow, fields: readonly SealedField[]): Generator<SealedValue> {
  for (const sealed of fields) {
    const value = row.record[sealed.field]
    const keyId = keyIdOf(value)
    if (typeof value === 'string' && keyId !== undefined) yield { row, sealed, value, keyId }
  }
}

/** Returns how many sealed texts each key has sealed, by the id of the key and the kind of the row. */
export async function countSealed(
  rows: Pick<ExaminedRows, 'readPage'>,
  rowsMax?: number,
): Promise<Map<string, Map<Kind, number>>> {
  const counts = new Map<string, Map<Kind, number>>()
  for await (const { keyId, sealed } of sealedValues(rows, rowsMax)) {
    const ofKey = counts.get(keyId) ?? new Map<Kind, number>()
    ofKey.set(sealed.kind, (ofKey.get(sealed.kind) ?? 0) + 1)
    counts.set(keyId, ofKey)
  }
  return counts
}

/** Returns counts in words, such as `3 of webhooks, 1 of inboxes`. */
export function describeCounts(counts: ReadonlyMap<Kind, number>): string {
  return [...counts].map(([kind, count]) => `${count} of ${kind}`).join(', ')
}

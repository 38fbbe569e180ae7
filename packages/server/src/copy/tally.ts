import { createHash } from 'node:crypto'
import type { RowPlace, TransferKind, TransferRow, TransferSource } from '../ports/storage-transfer.ts'

/** How many rows there are, and what they are, whatever their order. */
export interface Tally {
  rows: number
  checksum: bigint
}

/** By tenant; the empty id stands for the whole server. */
export type Tallies = ReadonlyMap<string, Tally>

/** The same text for the same value, whichever way its fields came. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join()}}`
}

function digestOf({ tenantId, id, version, record }: TransferRow): bigint {
  const text = canonicalJson([tenantId, id, version, record])
  return createHash('sha256').update(text).digest().readBigUInt64BE()
}

/** Reads all rows of a kind. Digests are added up, so the order does not matter and no row cancels another. */
export async function tallyKind(
  source: TransferSource,
  kind: TransferKind,
  onRows: (count: number) => void,
): Promise<Tallies> {
  const tallies = new Map<string, Tally>()
  let after: RowPlace | null = null
  for (;;) {
    const page: TransferRow[] = await source.readPage(kind, after)
    const last = page.at(-1)
    if (!last) return tallies
    for (const row of page) {
      const tally = tallies.get(row.tenantId) ?? { rows: 0, checksum: 0n }
      const checksum = BigInt.asUintN(64, tally.checksum + digestOf(row))
      tallies.set(row.tenantId, { rows: tally.rows + 1, checksum })
    }
    onRows(page.length)
    after = { tenantId: last.tenantId, id: last.id }
  }
}

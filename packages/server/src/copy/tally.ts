import { createHash } from 'node:crypto'
import type { AttachmentStore } from '../ports/attachment-store.ts'
import type { RowPlace, TransferRow, TransferSource } from '../ports/storage-transfer.ts'
import type { TransferKind } from '../storage/kinds/registry.ts'
import { digestOfBytes, hasBytes } from './copy-bytes.ts'

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

function digestOfJson(value: unknown): bigint {
  return createHash('sha256').update(canonicalJson(value)).digest().readBigUInt64BE()
}

function digestOfRow({ tenantId, id, version, record }: TransferRow): bigint {
  return digestOfJson([tenantId, id, version, record])
}

/** Reads all rows of a kind. */
export function tallyKind(
  source: TransferSource,
  kind: TransferKind,
  onRows: (count: number) => void,
): Promise<Tallies> {
  return tally({ source, kind, onRows }, async (row) => digestOfRow(row))
}

/** Reads the bytes of all attachments; those that have none are not counted. */
export function tallyBytes(
  source: TransferSource,
  store: AttachmentStore,
  onRows: (count: number) => void,
): Promise<Tallies> {
  return tally({ source, kind: 'attachments', onRows }, async (row) => {
    const digest = hasBytes(row) ? await digestOfBytes(store, row) : undefined
    return digest === undefined ? undefined : digestOfJson([row.tenantId, row.id, digest])
  })
}

interface Counted {
  source: TransferSource
  kind: TransferKind
  onRows: (count: number) => void
}

/** Digests are added up, so the order does not matter and no row cancels another. */
async function tally(
  { source, kind, onRows }: Counted,
  digestOf: (row: TransferRow) => Promise<bigint | undefined>,
): Promise<Tallies> {
  const tallies = new Map<string, Tally>()
  let after: RowPlace | null = null
  for (;;) {
    const page: TransferRow[] = await source.readPage(kind, after)
    const last = page.at(-1)
    if (!last) return tallies
    for (const row of page) {
      const digest = await digestOf(row)
      if (digest === undefined) continue
      const before = tallies.get(row.tenantId) ?? { rows: 0, checksum: 0n }
      const checksum = BigInt.asUintN(64, before.checksum + digest)
      tallies.set(row.tenantId, { rows: before.rows + 1, checksum })
    }
    onRows(page.length)
    after = { tenantId: last.tenantId, id: last.id }
  }
}

import { createHash } from 'node:crypto'
import type { AttachmentStore } from '../ports/attachment-store.ts'
import type { RowRef, TransferRow, TransferSource } from '../ports/storage-transfer.ts'
import type { TransferKind } from '../storage/kinds/registry.ts'
import { digestOfBytes, hasBytes } from './copy-bytes.ts'

/** The number of rows and a checksum of their content, which does not depend on their order. */
export interface Tally {
  rows: number
  checksum: bigint
}

/** The tallies by tenant; rows of the whole server have the empty id. */
export type Tallies = ReadonlyMap<string, Tally>

/** Returns the same text for equal values, whatever the order of their fields. */
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

/** Reads all rows of a kind and tallies them. */
export function tallyKind(
  source: TransferSource,
  kind: TransferKind,
  onRows: (count: number) => void,
): Promise<Tallies> {
  return tally({ source, kind, onRows }, async (row) => digestOfRow(row))
}

/** Reads the bytes of all attachments and tallies them, without attachments that have none. */
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

/** Adds up the digests, so that the order does not matter and no row cancels another. */
async function tally(
  { source, kind, onRows }: Counted,
  digestOf: (row: TransferRow) => Promise<bigint | undefined>,
): Promise<Tallies> {
  const tallies = new Map<string, Tally>()
  let after: RowRef | null = null
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

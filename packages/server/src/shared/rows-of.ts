import type { RowRef, TransferRow, TransferSource } from '../ports/storage-transfer.ts'
import type { TransferKind } from '../storage/kinds/registry.ts'

interface Part {
  /** The row before the first one. */
  after?: RowRef | null
  rowsMax?: number
}

/** Reads the rows of a kind, page by page, in the order of the database. */
export async function* rowsOf(
  rows: Pick<TransferSource, 'readPage'>,
  kind: TransferKind,
  { after: from = null, rowsMax = Number.POSITIVE_INFINITY }: Part = {},
): AsyncGenerator<TransferRow> {
  let left = rowsMax
  for (let after = from; left > 0; ) {
    const page = await rows.readPage(kind, after)
    const last = page.at(-1)
    if (last === undefined) return
    yield* page.slice(0, left)
    left -= page.length
    after = last
  }
}

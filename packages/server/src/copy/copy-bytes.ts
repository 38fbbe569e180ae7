import type { AttachmentStore } from '../ports/attachment-store.ts'
import type { TransferRow } from '../ports/storage-transfer.ts'
import { digestOfBytes } from '../shared/digest-of-bytes.ts'
import type { AttachmentRecord } from '../storage/kinds/attachments.ts'
import type { ProgressLine } from './progress-line.ts'
import { keyOf } from './same-row.ts'

/** The stores of the attachments' bytes on both sides. */
export interface BytesCopy {
  from: AttachmentStore
  to: AttachmentStore
  /** An object store has bytes that are on neither side. */
  hasPlace?: boolean
  /** The attachments that this pass has written, after a copy that compared all others; undefined: compare all. */
  written?: Set<string> | undefined
}

/** Files that are copied at the same time: a small one mostly waits for the disk. */
const filesMax = 8

function recordOf({ record }: TransferRow): AttachmentRecord {
  return record as unknown as AttachmentRecord
}

/** Returns whether the attachment has bytes that may still be read. */
function hasBytes(row: TransferRow): boolean {
  const { state, erasedAt } = recordOf(row)
  return state === 'stored' && erasedAt === null
}

async function eachFile(rows: readonly TransferRow[], use: (row: TransferRow) => Promise<void>) {
  for (let start = 0; start < rows.length; start += filesMax)
    await Promise.all(rows.slice(start, start + filesMax).map(use))
}

/** Copies the bytes of rows that the target has, and deletes bytes that the source no longer has. */
export async function copyBytes(
  { bytes, progress }: { bytes: BytesCopy; progress: ProgressLine },
  rows: readonly TransferRow[],
): Promise<void> {
  const { from, to, hasPlace, written } = bytes
  await eachFile(rows, async (row) => {
    if (!hasBytes(row)) return to.remove(row)
    // Bytes that are there in full are right: they never change.
    if ((await to.sizeOf(row)) === recordOf(row).size) return
    const found = await from.read(row)
    if (found === undefined) {
      await to.remove(row)
      const { tenantId, id } = row
      if (!hasPlace)
        progress.say(`The source has no bytes of attachment ${id} of ${tenantId}; only its row is copied.`)
      return
    }
    await to.write(row, found)
    written?.add(keyOf(row))
  })
}

/** Counts the files of both sides; `wrong` are the rows whose bytes differ, and these bytes are deleted. */
export async function checkBytes({ from, to, written }: BytesCopy, rows: readonly TransferRow[]) {
  const counts = { source: 0, target: 0 }
  const wrong: TransferRow[] = []
  await eachFile(rows.filter(hasBytes), async (row) => {
    const [source, target] = [await from.sizeOf(row), await to.sizeOf(row)]
    if (source !== undefined) counts.source += 1
    if (target !== undefined) counts.target += 1
    const isKnown = written !== undefined && !written.has(keyOf(row))
    if (source === target && (target === undefined || isKnown)) return
    const digest = await digestOfBytes(to, row)
    if (digest === recordOf(row).sha256 || digest === (await digestOfBytes(from, row))) return
    wrong.push(row)
    // The next pass copies what is not there.
    await to.remove(row)
  })
  return { ...counts, wrong }
}

import { createHash } from 'node:crypto'
import type { AttachmentKey, AttachmentStore } from '../ports/attachment-store.ts'
import type { TransferRow } from '../ports/storage-transfer.ts'
import type { AttachmentRecord } from '../storage/kinds/attachments.ts'

/** Where the bytes of attachments are, on both sides. */
export interface BytesCopy {
  from: AttachmentStore
  to: AttachmentStore
}

/** Files that are copied at once: most of the time of a small one is waiting for the disk. */
const filesMax = 8

function recordOf({ record }: TransferRow): AttachmentRecord {
  return record as unknown as AttachmentRecord
}

/** Whether there are bytes that anybody may still read. */
export function hasBytes(row: TransferRow): boolean {
  const { state, erasedAt } = recordOf(row)
  return state === 'stored' && erasedAt === null
}

/** Hex; undefined when there are no bytes. */
export async function digestOfBytes(store: AttachmentStore, key: AttachmentKey): Promise<string | undefined> {
  const bytes = await store.read(key)
  if (bytes === undefined) return undefined
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}

/** Bytes of one id never change, so in a first pass what is there is right: it was written whole. */
async function isCopied({ to }: BytesCopy, row: TransferRow, pass: number): Promise<boolean> {
  if (pass > 1) return (await digestOfBytes(to, row)) === recordOf(row).sha256
  const found = await to.read(row)
  found?.destroy()
  return found !== undefined
}

/** Answers false where the source has no bytes. */
async function copyFile(bytes: BytesCopy, row: TransferRow, pass: number): Promise<boolean> {
  if (!hasBytes(row)) {
    await bytes.to.remove(row)
    return true
  }
  if (await isCopied(bytes, row, pass)) return true
  const found = await bytes.from.read(row)
  if (found === undefined) await bytes.to.remove(row)
  else await bytes.to.write(row, found)
  return found !== undefined
}

/** Makes the target hold the bytes of these rows, which are there already, and none that they no longer have. */
export async function copyBytes(
  bytes: BytesCopy,
  rows: readonly TransferRow[],
  { pass, goOn }: { pass: number; goOn: () => void },
): Promise<{ missing: TransferRow[] }> {
  const missing: TransferRow[] = []
  for (let start = 0; start < rows.length; start += filesMax) {
    goOn()
    const some = rows.slice(start, start + filesMax)
    const copied = await Promise.all(some.map((row) => copyFile(bytes, row, pass)))
    missing.push(...some.filter((_, index) => copied[index] === false))
  }
  return { missing }
}

import { createHash } from 'node:crypto'
import type { AttachmentKey, AttachmentStore } from '../ports/attachment-store.ts'
import type { TransferRow } from '../ports/storage-transfer.ts'
import type { AttachmentRecord } from '../storage/kinds/attachments.ts'

/** The stores of the attachments' bytes on both sides. */
export interface BytesCopy {
  from: AttachmentStore
  to: AttachmentStore
  /** An object store has bytes that are on neither side. */
  hasPlace?: boolean
}

/** Files that are copied at the same time: a small one mostly waits for the disk. */
const filesMax = 8

function recordOf({ record }: TransferRow): AttachmentRecord {
  return record as unknown as AttachmentRecord
}

/** Returns whether the attachment has bytes that may still be read. */
export function hasBytes(row: TransferRow): boolean {
  const { state, erasedAt } = recordOf(row)
  return state === 'stored' && erasedAt === null
}

/** Returns the SHA-256 of the bytes in hex; undefined when there are no bytes. */
export async function digestOfBytes(store: AttachmentStore, key: AttachmentKey): Promise<string | undefined> {
  const bytes = await store.read(key)
  if (bytes === undefined) return undefined
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}

/** Returns whether the target has the bytes. In a first pass existing bytes are right: they never change and were written completely. */
async function isCopied({ to }: BytesCopy, row: TransferRow, pass: number): Promise<boolean> {
  if (pass > 1) return (await digestOfBytes(to, row)) === recordOf(row).sha256
  const found = await to.read(row)
  found?.destroy()
  return found !== undefined
}

/** Copies the bytes of an attachment; returns false when the source has none. */
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

interface CopyPass {
  pass: number
  /** Throws when the copy was stopped. */
  assertRunning(): void
}

/** Copies the bytes of rows that the target has, and deletes bytes that the source no longer has. */
export async function copyBytes(
  bytes: BytesCopy,
  rows: readonly TransferRow[],
  { pass, assertRunning }: CopyPass,
): Promise<{ missing: TransferRow[] }> {
  const missing: TransferRow[] = []
  for (let start = 0; start < rows.length; start += filesMax) {
    assertRunning()
    const some = rows.slice(start, start + filesMax)
    const copied = await Promise.all(some.map((row) => copyFile(bytes, row, pass)))
    if (!bytes.hasPlace) missing.push(...some.filter((_, index) => copied[index] === false))
  }
  return { missing }
}

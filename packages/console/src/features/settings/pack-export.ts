import type { Crm } from '../../api/crm.ts'
import { problemOf } from '../../api/problem.ts'
import { downloadPart, type NumberedPart, readParts } from '../../api/team-export.ts'
import { Zip, zipBytesMax, zipEntriesMax } from '../../ui/zip.ts'

/** Bytes of the archive for a file, beside its content. */
const headBytesMax = 1_000

interface Packed {
  readonly archive: Blob
  /** Files of messages that were removed since the export was made. */
  readonly missing: number
}

/**
 * Downloads the parts of an export into one archive, the manifest first, as an import of a package takes it. Undefined: it is too large
 * for a browser. Throws when a part has other bytes than were exported.
 */
export async function packExport(
  crm: Crm,
  id: string,
  onPart: (done: number, all: number) => void,
): Promise<Packed | undefined> {
  const parts = await readParts(crm, id)
  const bytes = parts.reduce((sum, { size }) => sum + size + headBytesMax, 0)
  if (parts.length > zipEntriesMax || bytes > zipBytesMax) return undefined
  const zip = new Zip()
  let missing = 0
  // The service makes the manifest last, and a reader wants it first.
  for (const [done, part] of parts.toReversed().entries()) {
    onPart(done, parts.length)
    const content = await readPart(crm, id, part)
    if (content) await zip.add(part.name, content)
    else missing += 1
  }
  return { archive: zip.end(), missing }
}

/** Returns undefined for a file that was removed since. The records are there as long as the export is. */
async function readPart(crm: Crm, id: string, part: NumberedPart): Promise<Blob | undefined> {
  let content: Blob
  try {
    content = await (await downloadPart(crm, id, part.number)).blob()
  } catch (error) {
    if (problemOf(error).code === 'NOT_FOUND' && part.name.startsWith('bytes/')) return undefined
    throw error
  }
  if (!(await isWhole(content, part))) throw new Error(`${part.name} has other bytes than were exported`)
  return content
}

/** A page without TLS has no checksums: there the size has to do. */
async function isWhole(content: Blob, { size, sha256 }: NumberedPart): Promise<boolean> {
  if (content.size !== size) return false
  if (!globalThis.crypto?.subtle) return true
  const digest = await crypto.subtle.digest('SHA-256', await content.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('') === sha256
}

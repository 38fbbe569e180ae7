import { createHash } from 'node:crypto'
import { normalizeEmail } from '@crmkit/core/vocabulary'

/** A file, with the addresses of people who were erased since its upload. */
interface ReadFile {
  _id: string
  /** Their `digestOfErased`. */
  erased?: readonly string[]
}

/** Longer words are no addresses. */
const addressLengthMax = 320
/** Signs that end an address in a text. */
const betweenWords = /[\s<>()[\]{},;:|"'`/\\]/

/** Not the digest of the address alone, which anybody could make. `address` is its `normalizeEmail`. */
export function digestOfErased({ _id }: Pick<ReadFile, '_id'>, address: string): string {
  return createHash('sha256')
    .update(JSON.stringify([_id, address]))
    .digest('base64url')
    .slice(0, 27)
}

/** Returns whether a cell of a file names a person who was erased: by the address alone, beside a name, in a list, or in a text. */
export function namesErased(cells: Iterable<unknown>, file: ReadFile): boolean {
  const { erased = [] } = file
  if (erased.length === 0) return false
  const digests = new Set(erased)
  for (const cell of cells)
    if (addressesInCell(cell).some((address) => digests.has(digestOfErased(file, address)))) return true
  return false
}

function addressesInCell(cell: unknown): string[] {
  if (cell === null || cell === undefined) return []
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
  if (!text.includes('@')) return []
  return text.split(betweenWords).flatMap((word) => {
    const isAddress = word.length <= addressLengthMax && word.indexOf('@') > 0
    return isAddress ? [normalizeEmail(word.endsWith('.') ? word.slice(0, -1) : word)] : []
  })
}

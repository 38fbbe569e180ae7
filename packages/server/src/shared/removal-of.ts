import type { Kind } from '../storage/kinds/registry.ts'

interface ReadRow {
  _id: string
  version: number
}

interface Removal<K extends Kind> {
  op: 'remove'
  kind: K
  id: string
  expectVersion: number
}

/** Returns the write that removes a row as it was read. */
export function removalOf<K extends Kind>(kind: K, { _id: id, version: expectVersion }: ReadRow): Removal<K> {
  return { op: 'remove', kind, id, expectVersion }
}

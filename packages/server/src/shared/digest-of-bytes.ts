import { createHash } from 'node:crypto'
import type { AttachmentKey, AttachmentStore } from '../ports/attachment-store.ts'

/** Returns the SHA-256 of the bytes in hex; undefined when there are none. */
export async function digestOfBytes(store: AttachmentStore, key: AttachmentKey): Promise<string | undefined> {
  const bytes = await store.read(key)
  if (bytes === undefined) return undefined
  const hash = createHash('sha256')
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) hash.update(chunk)
  return hash.digest('hex')
}

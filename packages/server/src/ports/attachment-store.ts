import type { Readable } from 'node:stream'

/** Both parts may hold any text; no key reaches another key's bytes or leaves the store. */
export interface AttachmentKey {
  tenantId: string
  id: string
}

/**
 * Keeps the bytes of attachments, and knows nothing else of them: what they are called, who may read them and when
 * they go is in their rows. `StorageUnavailable` when the store cannot be reached or is full.
 */
export interface AttachmentStore {
  /**
   * Takes the bytes to their end, in the pace of the disk. Resolves once they are durable; until then nothing can be
   * read. Bytes that were there under the key are replaced. Rejects with the error of `bytes` when that fails, and
   * leaves at most what `remove` takes away.
   */
  write(key: AttachmentKey, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Undefined when there are none. The caller reads the stream to its end or destroys it. */
  read(key: AttachmentKey): Promise<Readable | undefined>
  /** Removes the bytes, also the part that a broken write has left. Nothing happens when there are none. */
  remove(key: AttachmentKey): Promise<void>
  close(): Promise<void>
}

import type { Readable } from 'node:stream'

/** Both parts may hold any text; no key gives access to another key's bytes or to anything outside the store. */
export interface AttachmentKey {
  tenantId: string
  id: string
}

/**
 * Stores the bytes of attachments and nothing else about them: their names, who may read them and when they are
 * deleted is in their rows. Every method throws `StorageUnavailable` when the store cannot be reached or is full.
 */
export interface AttachmentStore {
  /**
   * Reads the bytes to their end, no faster than the disk takes them. Resolves once they are durable; until then
   * nothing can be read. Replaces earlier bytes of the key. Rejects with the error of `bytes` when that fails, and
   * leaves at most a part that `remove` deletes.
   */
  write(key: AttachmentKey, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Returns undefined when there are no bytes. The caller reads the stream to its end or destroys it. */
  read(key: AttachmentKey): Promise<Readable | undefined>
  /** Returns the file with the bytes, for another process that reads it; undefined where the store has no such files. */
  fileOf(key: AttachmentKey): string | undefined
  /** Returns how many bytes the key has; undefined when there are none. */
  sizeOf(key: AttachmentKey): Promise<number | undefined>
  /**
   * Lists the keys that have bytes, in no order; none that an interrupted write has left in part. Keys whose ids do not
   * have the form of this service's ids may be left out.
   */
  list(): AsyncIterable<AttachmentKey>
  /** Lists what stands in the store beside the bytes of keys and the parts of writes, by a name that an operator finds. */
  listStrays(): AsyncIterable<string>
  /** Deletes the bytes, also the part that an interrupted write has left. Does nothing when there are none. */
  remove(key: AttachmentKey): Promise<void>
  /** Absent where no other process can write into the store. */
  readonly spool?: AttachmentSpool
  close(): Promise<void>
}

export interface SpooledBytes {
  place: number
  /** The bytes that the file has in the end. */
  size: number
  /** Lets another process make the file, whose folder exists. */
  write(file: string): Promise<void>
}

/** Takes files that another process has written, without their bytes passing through this one. */
export interface AttachmentSpool {
  /** Returns the folder that the process of this place may write, and no other one. */
  folderOf(place: number): string
  /**
   * The same as `write` of the store, with bytes that another process writes. Rejects with the error of `write`, and when the file
   * is not what was announced. `remove` deletes what an interrupted one has left.
   */
  take(key: AttachmentKey, bytes: SpooledBytes): Promise<void>
}

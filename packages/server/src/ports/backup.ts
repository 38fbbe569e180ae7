import type { Readable } from 'node:stream'
import type { AttachmentKey } from './attachment-store.ts'
import type { ExaminedRows } from './diagnosis.ts'

/** A database at one moment, while servers go on changing it. */
export interface DatabaseSnapshot {
  readonly schema: number
  /** The rows of that moment. */
  readonly rows: ExaminedRows
  /** Takes the present moment instead. */
  renew(): void
  /** Copies the database of that moment to a new file. `onProgress` gets a number from 0 to 1. */
  copyTo(file: string, onProgress: (part: number) => void): Promise<void>
  close(): void
}

/**
 * Holds the bytes of attachments for a backup: they can be read until `release`, also when the server deletes them
 * meanwhile. It costs no disk space where the file system has hard links.
 */
export interface AttachmentHolds {
  /** Returns whether the key has bytes. Does nothing when they are held already. */
  hold(key: AttachmentKey): Promise<boolean>
  /** Returns the size of held bytes. */
  size(key: AttachmentKey): Promise<number>
  /** Reads held bytes. */
  read(key: AttachmentKey): Readable
  release(): Promise<void>
}

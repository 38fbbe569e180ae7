/**
 * Texts by key, for work that must not grow in memory. They are on disk, readable by this process alone, and are
 * deleted when it closes them or ends. Every method throws `StorageUnavailable` when the disk is full or cannot be used.
 */
export interface Scratch {
  get(key: string): string | undefined
  set(key: string, text: string): void
  /** Sets a key that has no text. Returns the text of one that has, which stays. */
  add(key: string, text: string): string | undefined
  close(): void
}

export type OpenScratch = () => Scratch

/**
 * Texts by key, for work that must not grow in memory. They are on disk, readable by this process alone, and are
 * deleted when it closes them or ends. Every method throws `StorageUnavailable` when the disk is full or cannot be used.
 */
export interface Scratch {
  get(key: string): string | undefined
  set(key: string, text: string): void
  close(): void
}

export type OpenScratch = () => Scratch

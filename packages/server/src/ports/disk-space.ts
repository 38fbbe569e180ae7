/** The space of the disk on which the service stores its data. */
export interface DiskSpace {
  /** While true, only requests are admitted that free space or need very little of it. */
  isFull(): boolean
  /** While true, nothing of strangers is stored; everything of the team goes on. */
  isLow(): boolean
  /** Free space when it was last checked; undefined before that, and where the service cannot see the disk. */
  freeBytes(): number | undefined
  /** Called when the storage could not write: a full disk is then noticed before the next check. Never throws. */
  noteFailure(): void
  /** Begins to check the space. */
  start(): void
  stop(): Promise<void>
}

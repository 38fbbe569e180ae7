import { openLockDatabase } from '../connection/database.ts'

export interface DeliveryOwner {
  /** Returns whether this process makes the deliveries of the file. Each call tries to take over from one that has ended. */
  isOwner(): boolean
  release(): void
}

/**
 * One process makes the deliveries of a file and so can keep its leases in memory. It holds a lock of the operating
 * system on a file beside the database. The lock ends with its process, also by `kill -9`, so the next owner knows that
 * no attempt is running and repeats unfinished ones immediately.
 */
export function createDeliveryOwner(path: string): DeliveryOwner {
  let lock: ReturnType<typeof openLockDatabase>
  return {
    isOwner: () => {
      lock ??= openLockDatabase(`${path}-deliveries`)
      return lock !== undefined
    },
    release: () => {
      lock?.close()
      lock = undefined
    },
  }
}

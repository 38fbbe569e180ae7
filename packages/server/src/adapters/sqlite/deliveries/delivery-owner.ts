import { openLockDatabase } from '../connection/database.ts'

export interface DeliveryOwner {
  /** Whether this process makes the deliveries of the file. Asked again and again it takes over from one that ended. */
  isOwner(): boolean
  release(): void
}

/**
 * Deliveries of one file are made by one process, which therefore can keep its leases in memory. The proof is a
 * lock of the operating system on a file beside the database: it ends with its process, also by `kill -9`, so the
 * next one knows that nothing is under way and repeats at once what was.
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

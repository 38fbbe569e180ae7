import type { DatabaseHandle } from './database.ts'

/**
 * One read transaction for all reads of one tick of the event loop. The locks of a transaction cost twice as much as
 * a look-up by id; under load many look-ups share one transaction.
 */
export interface SharedSnapshot {
  /** Call before a read. */
  enter(): void
  /** Call when the next read must see newer data: after a commit that the writer has acknowledged. */
  leave(): void
}

export function createSharedSnapshot(db: DatabaseHandle): SharedSnapshot {
  const begin = db.prepare('BEGIN')
  const end = db.prepare('COMMIT')
  let isOpen = false
  function leave(): void {
    if (!isOpen) return
    isOpen = false
    // After a failed read (a disk error, say) SQLite has ended the transaction by itself; this runs in a callback
    // of the event loop, where an error would end the process.
    if (db.inTransaction) end.run()
  }
  return {
    enter() {
      if (isOpen) return
      begin.run()
      isOpen = true
      setImmediate(leave)
    },
    leave,
  }
}

import type { DatabaseHandle } from './database.ts'

/**
 * One read transaction for all reads of one turn of the event loop. Taking and giving back the locks of a
 * transaction costs twice what a look-up by id does; under load many look-ups share one.
 */
export interface SharedSnapshot {
  /** Call before a read. */
  enter(): void
  /** Call when something newer must be seen: a commit that this process was just told of. */
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

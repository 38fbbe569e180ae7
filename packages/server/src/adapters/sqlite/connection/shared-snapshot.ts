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
  function rollBack(): void {
    try {
      if (db.inTransaction) db.exec('ROLLBACK')
    } catch {
      // The next read reports the state of the connection in its own words.
    }
  }
  function leave(): void {
    if (!isOpen) return
    isOpen = false
    // This runs in a callback of the event loop, where an error would end the process. After a failed read (a disk error,
    // say) SQLite has ended the transaction by itself, or cannot commit it: a damaged page ends one request only.
    try {
      if (db.inTransaction) end.run()
    } catch {
      rollBack()
    }
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

import Database from 'better-sqlite3'
import type { DatabaseSnapshot } from '../../../ports/backup.ts'
import { createSql } from '../connection/sql.ts'
import { examinePages } from '../diagnosis/examine-pages.ts'
import { createTransferReader } from './transfer-reader.ts'

const busyTimeoutMs = 10_000
/** Pages of 4 KB that are copied before the progress is reported. */
const pagesPerStep = 2_000

/** A database of an earlier schema has no table for a later kind, and so no rows of it. */
function orNone<T>(none: T, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('no such table')) return none
    throw error
  }
}

/**
 * Opens a snapshot of a database file. It is one read transaction: writers go on, and what they commit stays in the
 * write-ahead log until the snapshot is closed. Without the transaction SQLite would begin a copy anew at each commit.
 */
export function openSqliteSnapshot(file: string): DatabaseSnapshot {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs })
  const reader = createTransferReader(createSql(db, 'reader'))
  function begin(): void {
    db.exec('BEGIN')
    // The transaction begins with its first read.
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
  }
  begin()
  return {
    schema: Number(db.pragma('user_version', { simple: true })),
    rows: {
      count: async (kind) => orNone(0, () => reader.count(kind)),
      readPage: async (kind, after) => orNone([], () => reader.readPage(kind, after)),
      findMissing: async (kind, refs) => reader.findMissing(kind, refs),
    },
    renew() {
      db.exec('COMMIT')
      begin()
    },
    async copyTo(target, onProgress) {
      await db.backup(target, {
        progress({ totalPages, remainingPages }) {
          onProgress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages)
          return pagesPerStep
        },
      })
    },
    close: () => void db.close(),
  }
}

/** Returns the damage of a database file that no other process uses; undefined when it is whole. */
export function findSqliteDamage(file: string): string | undefined {
  // Its own log would be left beside the file: the copy of a file in WAL mode is in WAL mode too.
  const db = new Database(file, { fileMustExist: true })
  try {
    db.pragma('journal_mode = DELETE')
    const { outcome, sentence } = examinePages(db, { isThorough: false })
    return outcome === 'ok' ? undefined : sentence
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    db.close()
  }
}

import { chmodSync, existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { matchesText, plainSearchText } from '../../../storage/search-text.ts'
import { parseTerms } from '../search/search-query.ts'

/** Used in this adapter only: all other code uses the storage port. */
export type DatabaseHandle = Database.Database

const busyTimeoutMs = 10_000
const pageCountUnbounded = 4_294_967_294
/** More than SQLite's own 1,000 pages, so that a busy writer copies the log back less often. */
const checkpointPages = 4_000
/**
 * The pages that the writer keeps, in KB; memory is used as they are read. A create writes some 14 trees, and those of e-mails
 * and names anywhere: with SQLite's own 2 MB the same pages are read repeatedly.
 */
const writerCacheKb = 8_000

export interface DatabaseOptions {
  path: string
  /** The maximum size of the file in pages of 4 KB; a larger write fails as if the disk were full. */
  maxPages?: number | undefined
}

/** Waits without a timer: opening a database is synchronous, and another process may hold its lock. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** SQLite does not call its busy handler while it switches a file to WAL, so two starting processes could collide. */
function enterWal(db: DatabaseHandle): void {
  for (let waitedMs = 0; ; waitedMs += 20) {
    try {
      db.pragma('journal_mode = WAL')
      return
    } catch (error) {
      const isBusy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
      if (!isBusy || waitedMs >= busyTimeoutMs) throw error
      pause(20)
    }
  }
}

/** Makes commits survive a power failure. */
export function makeDurable(db: DatabaseHandle): void {
  enterWal(db)
  db.pragma('synchronous = FULL')
  // Without it SQLite only frees the pages: erased data could still be read from the file and from backups.
  db.pragma('secure_delete = ON')
  db.pragma(`wal_autocheckpoint = ${checkpointPages}`)
}

export function openWriterDatabase({ path, maxPages }: DatabaseOptions): DatabaseHandle {
  const isNew = !existsSync(path)
  const db = new Database(path, { timeout: busyTimeoutMs })
  // Customers' data is for the owner only; the log beside the file gets the same mode.
  if (isNew) {
    chmodSync(path, 0o600)
    // Before the first page is written: free pages go back to the disk in steps.
    db.pragma('auto_vacuum = INCREMENTAL')
  }
  makeDurable(db)
  db.pragma(`cache_size = -${writerCacheKb}`)
  db.pragma(`max_page_count = ${maxPages ?? pageCountUnbounded}`)
  return db
}

/**
 * Keeps in memory what the savepoint of a call needs to undo it. Call it after migrations: from then on SQLite sorts in memory too,
 * and a new index of a large table needs its file. With a file, a group of calls made and removed one, and wrote each changed page
 * to it twice: of the 108 writes of a new conversation most were these.
 */
export function undoInMemory(db: DatabaseHandle): void {
  db.pragma('temp_store = MEMORY')
}

export function openReaderDatabase({ path }: DatabaseOptions): DatabaseHandle {
  const db = new Database(path, { timeout: busyTimeoutMs })
  db.pragma('query_only = ON')
  db.function('matches_text', { deterministic: true }, (text: unknown, terms: unknown) =>
    matchesText(String(text), parseTerms(String(terms))) ? 1 : 0,
  )
  db.function('matches_content', { deterministic: true }, (message: unknown, terms: unknown) => {
    const { content } = JSON.parse(String(message)) as { content: string }
    return matchesText(plainSearchText(content), parseTerms(String(terms))) ? 1 : 0
  })
  return db
}

/** Locks a file for this process until it is closed or the process ends; returns undefined when another one has it. */
export function openLockDatabase(path: string): { close(): void } | undefined {
  const db = new Database(path, { timeout: 0 })
  try {
    // Before the lock makes the journal, which gets the same mode.
    chmodSync(path, 0o600)
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
}

import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import type { TransferSource, TransferTarget } from '../../../ports/storage-transfer.ts'
import { assertSourceSchema } from '../../../storage/transfer.ts'
import { type DatabaseHandle, makeDurable } from '../connection/database.ts'
import { type DatabaseLock, lockDatabase } from '../connection/database-lock.ts'
import { migrateDatabase, newestSchema } from '../connection/migrate.ts'
import { createSql } from '../connection/sql.ts'
import { readCopyProgress, writeCopyProgress } from './copy-progress.ts'
import { createTransferReader } from './transfer-reader.ts'
import { createTransferWriter } from './transfer-writer.ts'

/** Long enough to wait for a short reader, such as a backup; a server uses the file as long as it runs. */
const busyTimeoutMs = 2_000

/** Returns the same address for every spelling of a path. */
function addressOf(file: string): string {
  const folder = path.dirname(path.resolve(file))
  const real = existsSync(folder) ? realpathSync(folder) : folder
  return `sqlite:${existsSync(file) ? realpathSync(file) : path.join(real, path.basename(file))}`
}

function withReason(error: unknown, address: string): unknown {
  const code = error instanceof Database.SqliteError ? error.code : ''
  const reasons: [RegExp, string][] = [
    [/^SQLITE_BUSY/, 'is in use, most likely by a server that still runs: stop it, then copy'],
    [/^SQLITE_NOTADB/, 'is not an SQLite database'],
    [/^SQLITE_(CANTOPEN|READONLY|PERM)/, 'cannot be opened for writing, which its lock needs'],
  ]
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1]
  return reason ? new Error(`${address} ${reason}`, { cause: error }) : error
}

/** Opens and locks the file: no server and no second copy can open it until it is closed. */
function openLocked<S>(
  file: string,
  use: (db: DatabaseHandle, address: string) => S,
): S & Pick<TransferSource, 'close'> {
  const address = addressOf(file)
  let db: DatabaseHandle | undefined
  let lock: DatabaseLock | undefined
  const close = async () => {
    db?.close()
    lock?.release()
  }
  try {
    // Names the server that uses the file.
    lock = lockDatabase(file, 'crm-server copy')
    db = new Database(file, { timeout: busyTimeoutMs })
    // Keeps away what knows no lock, such as an embedded service.
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec('BEGIN EXCLUSIVE; COMMIT')
    return { ...use(db, address), close }
  } catch (error) {
    void close()
    throw withReason(error, address)
  }
}

function sourceOf(db: DatabaseHandle, address: string): Omit<TransferSource, 'close'> {
  const reader = createTransferReader(createSql(db, 'reader'))
  return {
    address,
    installation: (db.prepare('SELECT id FROM installation').get() as { id: string }).id,
    count: async (kind) => reader.count(kind),
    readPage: async (kind, after) => reader.readPage(kind, after),
    findMissing: async (kind, refs) => reader.findMissing(kind, refs),
    // The lock proves that no other process has the file open.
    isInUse: async () => false,
  }
}

/** Opens a database file to copy from it, without creating or changing it. */
export async function openSqliteSource(file: string): Promise<TransferSource> {
  if (!existsSync(file)) throw new Error(`there is no file ${addressOf(file)}`)
  return openLocked(file, (db, address) => {
    const current = Number(db.pragma('user_version', { simple: true }))
    assertSourceSchema({ current, newest: newestSchema(), address })
    db.pragma('query_only = ON')
    return sourceOf(db, address)
  })
}

/** Opens a database file to copy into it; creates it, or brings its schema up to date. */
export async function openSqliteTarget(file: string): Promise<TransferTarget> {
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true, mode: 0o700 })
  return openLocked(file, (db, address): Omit<TransferTarget, 'close'> => {
    makeDurable(db)
    migrateDatabase(db)
    const reader = createTransferReader(createSql(db, 'reader'))
    const writer = createTransferWriter(createSql(db, 'writer'))
    const transact = (work: () => void) => {
      try {
        db.transaction(work).immediate()
      } catch (error) {
        writer.forget()
        throw error
      }
    }
    return {
      ...sourceOf(db, address),
      readRows: async (kind, refs) => reader.readRows(kind, refs),
      put: async (kind, rows) => transact(() => writer.put(kind, rows)),
      remove: async (kind, refs) => transact(() => writer.remove(kind, refs)),
      findProgress: async () => readCopyProgress(db),
      saveProgress: async (progress) => writeCopyProgress(db, progress),
    }
  })
}

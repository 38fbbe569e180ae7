import Database from 'better-sqlite3'
import type { Scratch } from '../../ports/scratch.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import { isUnavailable } from './connection/sqlite-errors.ts'

/** Pages of the file that stay in memory, in KB. */
const cacheKb = 4_000

/** A full disk says nothing about the work that uses the scratch. */
function orUnavailable<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isUnavailable(error)) throw error
    throw new StorageUnavailable(`the scratch cannot be used: ${String(error)}`, { cause: error })
  }
}

/** Opens a scratch in a temporary file, which SQLite deletes from its folder before it writes to it. */
export function openSqliteScratch(): Scratch {
  return orUnavailable(open)
}

function open(): Scratch {
  const db = new Database('')
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  db.pragma('temp_store = FILE')
  db.pragma(`cache_size = -${cacheKb}`)
  db.exec('CREATE TABLE texts (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID')
  // One transaction that never ends: nothing of it has to survive.
  db.exec('BEGIN')
  const get = db.prepare<[string], string>('SELECT text FROM texts WHERE key = ?').pluck()
  const set = db.prepare<[string, string]>('INSERT OR REPLACE INTO texts (key, text) VALUES (?, ?)')
  const add = db.prepare<[string, string]>(
    'INSERT INTO texts (key, text) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  return {
    get: (key) => orUnavailable(() => get.get(key)),
    set: (key, text) => {
      orUnavailable(() => set.run(key, text))
    },
    add: (key, text) => orUnavailable(() => (add.run(key, text).changes === 1 ? undefined : get.get(key))),
    close: () => {
      db.close()
    },
  }
}

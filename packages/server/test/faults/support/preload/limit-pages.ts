import Database from 'better-sqlite3'
import { watchNumber } from './watched-number.ts'

/** Bounds the database file as a full disk would, and lifts the bound again, while the server runs. */
export function limitPages(file: string): void {
  const pragma = Database.prototype.pragma
  Database.prototype.pragma = function limited(this: Database.Database, source: string, options?: object) {
    // Only the writer sets a bound; that is how its connection is known.
    if (!source.startsWith('max_page_count')) return pragma.call(this, source, options)
    watchNumber(file, (pages) => pragma.call(this, `max_page_count = ${pages}`))
    return undefined
  }
}

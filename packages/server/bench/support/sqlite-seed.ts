import Database from 'better-sqlite3'
import { createSql } from '../../src/adapters/sqlite/connection/sql.ts'
import { attemptValues, insertAttempt } from '../../src/adapters/sqlite/deliveries/attempt-rows.ts'
import { insertEvent } from '../../src/adapters/sqlite/events/event-rows.ts'
import { createRowNumbers } from '../../src/adapters/sqlite/rows/row-numbers.ts'
import { createRowWriter } from '../../src/adapters/sqlite/rows/row-writer.ts'
import { createSearchIndexer } from '../../src/adapters/sqlite/search/search-indexer.ts'
import type { StoreBundles } from './row-seed.ts'

const searchTables = ['customer_search', 'conversation_search', 'message_search']
/** FTS5 collects so many bytes before it writes a segment; its own bound is a megabyte. */
const collectedBytes = 64 * 2 ** 20
const ownBytes = 2 ** 20
const bundlesPerTransaction = 20_000

/**
 * Fills a database file that nothing else has open, with the writers of rows that requests use. A crash leaves a
 * damaged file: the journal is in memory, and nothing waits for the disk. Requests in commits of a hundred bundles write each
 * page of an index many times, which took most of the time.
 */
export function openUnsafeFile(file: string): { store: StoreBundles; close(): void } {
  const db = new Database(file)
  db.pragma('locking_mode = EXCLUSIVE')
  // The connections of better-sqlite3 refuse to have no journal.
  db.pragma('journal_mode = MEMORY')
  db.pragma('synchronous = OFF')
  db.pragma(`cache_size = ${-(2 ** 20)}`)
  const collect = (bytes: number) => {
    for (const table of searchTables)
      db.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('hashsize', ${bytes})`)
  }
  collect(collectedBytes)
  const sql = createSql(db, 'writer')
  const indexer = createSearchIndexer(sql)
  const { next: nextRowNumber } = createRowNumbers(sql)
  const rows = createRowWriter({ sql, indexer, nextRowNumber })
  let stored = 0

  function flush(): void {
    indexer.stage()
    indexer.flush()
  }

  return {
    async store(bundles) {
      if (stored % bundlesPerTransaction === 0) db.exec(stored === 0 ? 'BEGIN' : 'COMMIT; BEGIN')
      for (const { customer, conversation, messages, event, attempt } of bundles) {
        const { tenantId } = attempt
        rows.insert(tenantId, 'customers', { ...customer })
        rows.insert(tenantId, 'conversations', { ...conversation })
        for (const message of messages) rows.insert(tenantId, 'messages', { ...message })
        insertEvent(sql, tenantId, event)
        sql.tenant(tenantId).run(insertAttempt, ...attemptValues(attempt))
      }
      flush()
      stored += bundles.length
    },
    close() {
      if (db.inTransaction) db.exec('COMMIT')
      collect(ownBytes)
      db.pragma('journal_mode = WAL')
      db.close()
    },
  }
}
